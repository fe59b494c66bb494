"""`graphmem history`, `graphmem changes` and `graphmem duplicates`."""

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from graphmem import arguments, moments
from graphmem.cli import output, session
from graphmem.cli.options import WITH_DEFAULT, Json, Name, Project
from graphmem.model.duplicates import MOST_PAIRS
from graphmem.model.history import MOST_CHANGES, UNREADABLE

if TYPE_CHECKING:
    from graphmem.model.history import Change, Difference, Revision

DAYS = 7
BEGINNING = datetime.min.replace(tzinfo=UTC)
# How the difference of a relation begins.
RELATION = "the relation "

Limit = Annotated[int, Parameter(help="Maximum number of changes, 1 to 1000."), WITH_DEFAULT]


def history(
    name: Name,
    /,
    *,
    since: Annotated[
        str | None,
        Parameter(help="A day or moment, also `monday`; by default the entity's beginning."),
    ] = None,
    limit: Limit = 50,
    project: Project = None,
    json: Json = False,
) -> int:
    """Show how an entity changed, when and by whom.

    `graphmem undo ID` undoes one of these changes, and
    `graphmem show NAME --as-of DAY` shows the entity as it was.
    """
    arguments.names([name])
    start = None if since is None else moments.first("since", since)
    arguments.count("limit", limit, most=MOST_CHANGES)
    with session.open_memory(project) as (memory, _):
        entity_history = memory.history(name, since=start, limit=limit)
    if json:
        output.document(entity_history.to_json())
        return 0
    out = output.TextOutput()
    out.write(f"{entity_history.name}  {entity_history.project}")
    for revision in entity_history.revisions:
        _write_revision(revision, out)
    if not entity_history.revisions:
        out.write(
            "nothing since then"
            if since
            else "nothing was recorded: its changes are older than the history",
            indent=2,
        )
    _write_truncated(out, truncated=entity_history.truncated)
    return 0


def changes(
    *,
    since: Annotated[
        str | None,
        Parameter(
            help="A day or moment, also `monday` or `3 days ago`; by default a week ago, or with "
            "`--until` the beginning."
        ),
    ] = None,
    until: Annotated[
        str | None, Parameter(help="The last day or moment, also `yesterday` or `last week`.")
    ] = None,
    limit: Limit = 50,
    project: Project = None,
    json: Json = False,
) -> int:
    """List the changes of a project, newest first."""
    start, end = moments.bounds(since, until)
    if start is None:
        start = datetime.now(UTC) - timedelta(days=DAYS) if end is None else BEGINNING
    arguments.count("limit", limit, most=MOST_CHANGES)
    with session.open_memory(project) as (memory, _):
        listing = memory.changes(start, end, limit=limit)
        note = None if listing.changes else session.empty_project_note(memory, listing.project)
    if json:
        output.document(listing.to_json())
        return 0
    out = output.TextOutput()
    out.write(listing.project)
    for change in listing.changes:
        _write_change(change, out)
    if not listing.changes:
        further = "nothing changed; --since looks further back"
        out.write(note or ("nothing changed by then" if start == BEGINNING else further), indent=2)
    _write_truncated(out, truncated=listing.truncated)
    return 0


def duplicates(
    *,
    threshold: Annotated[
        float, Parameter(help="Minimum cosine similarity of two texts, 0 to 1."), WITH_DEFAULT
    ] = 0.85,
    limit: Annotated[int, Parameter(help="Maximum number of pairs, 1 to 1000."), WITH_DEFAULT] = 20,
    project: Project = None,
    json: Json = False,
) -> int:
    """List entities that may be the same thing, and why.

    They share a name (which symbols of imported code often do, so that counts for
    nothing), or their texts mean nearly the same. `graphmem merge` merges two of
    them. The exit code is 1 if there are none.
    """
    arguments.number("threshold", threshold, 0.0, 1.0)
    arguments.count("limit", limit, most=MOST_PAIRS)
    with session.open_memory(project) as (memory, progress):
        report = memory.duplicates(threshold=threshold, limit=limit, progress=progress)
        note = None if report.pairs else session.empty_project_note(memory, report.project)
    if json:
        output.document(report.to_json())
        return 0 if report.pairs else 1
    out = output.TextOutput()
    for pair in report.pairs:
        out.write(f"{pair.first}  —  {pair.second}")
        out.write_short(pair.reasons, indent=4)
    if not report.pairs:
        advice = note or "a lower --threshold finds more"
        out.write(f"No likely duplicates in {report.project}; {output.sentence(advice)}")
    if not report.complete:
        out.write("Only the first 5,000 entities were compared.")
    return 0 if report.pairs else 1


def _write_truncated(out: output.TextOutput, *, truncated: bool) -> None:
    if truncated:
        out.write("there are older ones; --limit shows more", indent=2)


def _write_revision(revision: "Revision", out: output.TextOutput) -> None:
    head = f"{_when(revision.at)}  {revision.change}  {revision.verb} {_origin(revision)}"
    out.write(head, indent=2)
    for difference in revision.differences:
        out.write_short(_difference_line(difference), indent=6)


def _difference_line(difference: "Difference") -> str:
    """What changed, in a line."""
    field, old_value, new_value = difference.field, difference.before, difference.after
    if field in {"created", UNREADABLE}:
        return field
    if field.startswith(RELATION):
        return _relation_line(field, old_value, new_value)
    return _field_line(field, old_value, new_value)


def _relation_line(name: str, old_value: object, new_value: object) -> str:
    old_fields, new_fields = (
        value if isinstance(value, dict) else {} for value in (old_value, new_value)
    )
    if new_value is None:
        return f"{name} deleted"
    if old_value is None:
        verb = "created"
        details = [f"{field} {_value(value)}" for field, value in new_fields.items()]
    else:
        verb = "changed"
        details = [
            _field_line(field, old_fields.get(field), new_fields.get(field))
            for field in {**old_fields, **new_fields}
            if old_fields.get(field) != new_fields.get(field)
        ]
    return f"{name} {verb}" + (f": {', '.join(details)}" if details else "")


def _field_line(field: str, old_value: object, new_value: object) -> str:
    return f"{field}: {_value(old_value)} → {_value(new_value)}"


def _value(value: object) -> str:
    """A value of a field for people; a date is an object with one name in JSON."""
    if isinstance(value, dict) and value.keys() <= {"date", "datetime"}:
        return " ".join(value.values())
    return "nothing" if value is None else repr(value)


def _write_change(change: "Change", out: output.TextOutput) -> None:
    counts = [
        f"{count} {label}"
        for count, label in (
            (change.created, "created"),
            (change.changed, "changed"),
            (change.relations, "linked"),
        )
        if count
    ]
    verb = f"{change.verb} of {change.undoes}" if change.undoes else change.verb
    out.write(f"{_when(change.at)}  {change.id}  {verb} {_origin(change)}", indent=2)
    # The others are only where the relations start.
    entities = change.names[: change.created + change.changed]
    names = f": {', '.join((*entities, *change.links))}" if change.names else ""
    if counts or names or not change.note:
        out.write_short(f"{', '.join(counts) or 'nothing left of it'}{names}", indent=6)


def _when(moment: datetime | None) -> str:
    """The moment of a change as options read it; as of the one shown the change has happened."""
    if moment is None:
        return "—"
    rounded_up = moment.astimezone(UTC) + timedelta(microseconds=999)
    return f"{rounded_up.replace(tzinfo=None).isoformat(timespec='milliseconds')}Z"


def _origin(entry: "Change | Revision") -> str:
    """Who made a change and why, on one line: callers write notes as they like."""
    source = f"brought by {entry.source}" if entry.source else None
    facts = [part for part in (entry.author, entry.note, source) if part]
    details = f" ({', '.join(facts)})" if facts else ""
    return " ".join(output.visible(f"by {entry.by}{details}").split())
