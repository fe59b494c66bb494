"""`graphmem history`, `graphmem changes` and `graphmem duplicates`."""

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from graphmem.cli import output, session
from graphmem.cli.options import WITH_DEFAULT, Json, Project

if TYPE_CHECKING:
    from graphmem.model.history import Change, Difference, Revision

DAYS = 7


def history(
    name: Annotated[str, Parameter(help="A name, alias, title or key.")],
    /,
    *,
    since: Annotated[
        str | None, Parameter(help="A day or moment; by default the entity's beginning.")
    ] = None,
    limit: Annotated[int, Parameter(help="The most changes, 1 to 1000."), WITH_DEFAULT] = 50,
    project: Project = None,
    json: Json = False,
) -> int:
    """Show what changed of an entity, when and by whom.

    `graphmem undo ID` takes one of these changes back, and
    `graphmem show NAME --as-of DAY` shows the entity as it was.
    """
    with session.opened(project) as (memory, _):
        told = memory.history(name, since=since, limit=limit)
    if json:
        output.document(told.to_json())
        return 0
    out = output.TextOutput()
    out.write(f"{told.name}  {told.project}")
    for one in told.revisions:
        _write_revision(one, out)
    if not told.revisions:
        out.write(
            "nothing since then"
            if since
            else "nothing was recorded before graphmem kept a history",
            indent=2,
        )
    _write_truncated(out, truncated=told.truncated)
    return 0


def changes(
    *,
    since: Annotated[str | None, Parameter(help="A day or moment; by default a week ago.")] = None,
    until: Annotated[str | None, Parameter(help="The last day or moment.")] = None,
    limit: Annotated[int, Parameter(help="The most changes, 1 to 1000."), WITH_DEFAULT] = 50,
    project: Project = None,
    json: Json = False,
) -> int:
    """List the changes of a project, newest first."""
    with session.opened(project) as (memory, _):
        first = since or datetime.now(UTC) - timedelta(days=DAYS)
        told = memory.changes(first, until, limit=limit)
    if json:
        output.document(told.to_json())
        return 0
    out = output.TextOutput()
    out.write(told.project)
    for one in told.changes:
        _write_change(one, out)
    if not told.changes:
        out.write("nothing changed; --since looks further back", indent=2)
    _write_truncated(out, truncated=told.truncated)
    return 0


def duplicates(
    *,
    threshold: Annotated[
        float, Parameter(help="Minimum cosine similarity of two texts, 0 to 1."), WITH_DEFAULT
    ] = 0.85,
    limit: Annotated[int, Parameter(help="The most pairs, 1 to 1000."), WITH_DEFAULT] = 20,
    project: Project = None,
    json: Json = False,
) -> int:
    """List entities that may be one thing, and why.

    They have a name in common, or their texts mean nearly the same.
    `graphmem merge` joins two. Exit code 1 if none are found.
    """
    with session.opened(project) as (memory, _):
        told = memory.duplicates(threshold=threshold, limit=limit)
    if json:
        output.document(told.to_json())
        return 0 if told.pairs else 1
    out = output.TextOutput()
    for pair in told.pairs:
        out.write(f"{pair.first}  —  {pair.second}")
        out.write_short(pair.reasons, indent=4)
    if not told.pairs:
        out.write("no likely duplicates")
    if not told.complete:
        out.write("only the first 5,000 entities were compared")
    return 0 if told.pairs else 1


def _write_truncated(out: output.TextOutput, *, truncated: bool) -> None:
    if truncated:
        out.write("there are older ones; --limit shows more", indent=2)


def _write_revision(one: "Revision", out: output.TextOutput) -> None:
    out.write(f"{_when(one.at)}  {one.change}  {one.verb} by {one.by}{_why(one)}", indent=2)
    for difference in one.differences:
        out.write_short(_told(difference), indent=6)


def _told(difference: "Difference") -> str:
    """What changed, in a line."""
    field, before, after = difference.field, difference.before, difference.after
    if field == "created":
        return field
    if isinstance(before, dict) or isinstance(after, dict):  # a relation, with what it says
        fields = after if isinstance(after, dict) else {}
        verb = "deleted" if after is None else "made" if before is None else "changed"
        listed = ", ".join(f"{name} {value!r}" for name, value in fields.items())
        return f"{field} {verb}" + (f": {listed}" if listed else "")
    was, now = ("nothing" if value is None else repr(value) for value in (before, after))
    return f"{field}: {was} → {now}"


def _write_change(one: "Change", out: output.TextOutput) -> None:
    counts = [
        f"{count} {what}"
        for count, what in (
            (one.created, "created"),
            (one.changed, "changed"),
            (one.relations, "linked"),
        )
        if count
    ]
    out.write(f"{_when(one.at)}  {one.id}  {one.verb} by {one.by}{_why(one)}", indent=2)
    names = f": {', '.join(one.names)}" if one.names else ""
    if counts or names or not one.note:
        out.write_short(f"{', '.join(counts) or 'nothing left of it'}{names}", indent=6)


def _when(moment: datetime | None) -> str:
    return "—" if moment is None else moment.astimezone().strftime("%Y-%m-%d %H:%M:%S")


def _why(one: "Change | Revision") -> str:
    brought = f"brought by {one.source}" if one.source else None
    told = [part for part in (one.author, one.note, brought) if part]
    return f" ({', '.join(told)})" if told else ""
