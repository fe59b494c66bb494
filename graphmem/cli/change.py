"""`graphmem edit`, `rename`, `merge`, `supersede`, `restore` and `undo`."""

from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from graphmem import arguments
from graphmem.cli import output, session
from graphmem.cli.confirmation import Yes, check_answerable, confirm
from graphmem.cli.option_names import fields_as_options
from graphmem.cli.options import Attributes, Json, Project, Values, attributes, pairs
from graphmem.cli.write import Names, show_report
from graphmem.errors import NOT_SHOWN, InvalidInput, quantity
from graphmem.model import Entity, limits

if TYPE_CHECKING:
    from graphmem.write import Merge

Name = Annotated[str, Parameter(help="A name, alias, title or key.")]
Note = Annotated[str | None, Parameter(help="The reason; the history shows it.")]
# What `--set` may change; each of the others has an option or a command of its own.
SETTABLE = (
    "kind", "title", "text", "status", "category", "confidence", "source", "lead_in",
    "valid_from", "valid_until",
)  # fmt: skip
OTHER_WAYS = {
    "name": "`graphmem rename` gives it another name.",
    "attributes": "Use --attribute NAME=VALUE.",
    "observations": "Use --replace ID=TEXT; `graphmem remember --observation` adds one.",
    "tags": "`graphmem remember --tag` adds one, --remove-tag removes it.",
    "aliases": "`graphmem remember --alias` adds one, --remove-alias removes it.",
    "if_revision": "Use --if-revision NUMBER.",
    "unset": "Use --unset FIELD.",
}


def edit(
    name: Name,
    /,
    *,
    set_: Annotated[
        Values,
        Parameter(
            name="--set",
            help=f"FIELD=VALUE; FIELD is {', '.join(SETTABLE[:-1])} or {SETTABLE[-1]}.",
        ),
    ] = (),
    attribute: Attributes = (),
    unset: Annotated[Values, Parameter(help="A field to clear; may be repeated.")] = (),
    replace: Annotated[
        Values, Parameter(help="ID=TEXT: new text for the observation ID; may be repeated.")
    ] = (),
    observation_from: Annotated[
        Values, Parameter(help="ID=DAY: first day on which ID is valid; may be repeated.")
    ] = (),
    observation_until: Annotated[
        Values, Parameter(help="ID=DAY: last day on which ID is valid; `ID=` removes the end.")
    ] = (),
    remove_observation: Annotated[
        Values, Parameter(help="The id of an observation to remove; may be repeated.")
    ] = (),
    remove_tag: Annotated[Values, Parameter(help="A tag to remove; may be repeated.")] = (),
    remove_alias: Annotated[Values, Parameter(help="An alias to remove; may be repeated.")] = (),
    remove_attribute: Annotated[
        Values, Parameter(help="A custom attribute to remove; may be repeated.")
    ] = (),
    if_revision: Annotated[
        int | None, Parameter(help="Refuse if the entity was changed since this revision.")
    ] = None,
    project: Project = None,
    json: Json = False,
) -> int:
    """Correct an entity: change, clear or remove what is stored.

    `graphmem show NAME` prints its revision and the ids of its observations.
    `graphmem undo last` undoes the correction.
    """
    corrections = (set_, attribute, unset, replace, observation_from, observation_until)
    if not any((*corrections, remove_observation, remove_tag, remove_alias, remove_attribute)):
        raise InvalidInput("--set", NOT_SHOWN, "must be given, or another option with a change")
    removals = {
        "observations": list(remove_observation),
        "tags": list(remove_tag),
        "aliases": list(remove_alias),
        "attributes": list(remove_attribute),
    }
    entity: dict[str, object] = {
        **_fields(set_),
        "name": name,
        "attributes": attributes("--attribute", attribute),
        "observations": _observations(replace, observation_from, observation_until),
        "unset": list(unset),
        "remove": removals,
        "if_revision": if_revision,
    }
    with fields_as_options("entity", corrects=True):
        Entity.from_json(entity, corrects=True)
    with session.open_memory(project, model_soon=True) as (memory, _):
        report = memory.edit(entity)
    return show_report(report, json=json)


def rename(
    name: Name,
    new_name: Annotated[str, Parameter(help="Its new name.")],
    /,
    *,
    note: Note = None,
    project: Project = None,
    json: Json = False,
) -> int:
    """Rename an entity; its links stay and the old name still works.

    The old name becomes an alias.
    """
    arguments.names([name])
    limits.name("new_name", new_name)
    arguments.note(note)
    with session.open_memory(project, model_soon=True) as (memory, _):
        report = memory.rename(name, new_name, note=note)
    return show_report(report, json=json)


def merge(
    name: Annotated[str, Parameter(help="The entity that is merged into the other and deleted.")],
    into: Annotated[str, Parameter(help="The entity that remains.")],
    /,
    *,
    dry_run: Annotated[bool, Parameter(help="Only show what would happen.")] = False,
    yes: Yes = False,
    note: Note = None,
    project: Project = None,
    json: Json = False,
) -> int:
    """Merge two entities that are the same thing.

    It shows what differs, and asks first. The entity that remains gets the links,
    observations and names of the other one, and keeps its own value of each field
    that both have. `graphmem undo last` undoes a merge.
    """
    arguments.names([name, into])
    arguments.note(note)
    if not dry_run:
        check_answerable(yes=yes)
    with session.open_memory(project, model_soon=True) as (memory, progress):
        report = memory.merge(name, into, dry_run=True)
        progress.finish()
        if not json:
            _write_merge(name, into, report)
        if not dry_run:
            confirm(f"Merge {name} into {into}?", yes=yes)
            report = memory.merge(name, into, note=note)
    if json:
        output.document(report.to_json())
    else:
        done = (
            "Dry run: nothing was changed."
            if dry_run
            else "Merged; `graphmem undo last` undoes it."
        )
        output.TextOutput().write(done)
    return 0


def supersede(
    old: Annotated[str, Parameter(help="The entity that is replaced.")],
    new: Annotated[str, Parameter(help="The entity that replaces it.")],
    /,
    *,
    note: Note = None,
    project: Project = None,
    json: Json = False,
) -> int:
    """Replace an entity by another one that exists.

    The old one gets the status `superseded`, which hides it from searches, and the
    new one a link SUPERSEDES to it.
    """
    arguments.names([old, new])
    arguments.note(note)
    with session.open_memory(project) as (memory, _):
        report = memory.supersede(old, new, note=note)
    return show_report(report, json=json)


def restore(*names: Names, project: Project = None, json: Json = False) -> int:
    """Bring back entities that somebody has hidden.

    They are forgotten, superseded or deprecated. Their status is then the one that
    an import gives, or `active`; `graphmem undo` of the change that hid one, in
    place of this, brings back the status that it had. What an import has removed
    stays removed: `graphmem remember NAME` brings it back.
    """
    arguments.names(names)
    with session.open_memory(project) as (memory, _):
        report = memory.restore(names)
    return show_report(report, json=json)


def undo(
    change: Annotated[
        str, Parameter(help="The id of a change, from `history` or `changes`, or `last`.")
    ],
    /,
    *,
    note: Note = None,
    project: Project = None,
    json: Json = False,
) -> int:
    """Undo a change, unless what it touched was changed again since.

    What the change created is hidden; what it changed or deleted is as it was.
    Undoing is a change itself, so it can be undone, too.
    """
    arguments.note(note)
    # Most of what is undone needs no model, so that it loads only once it is waited for.
    with session.open_memory(project) as (memory, progress):
        report = memory.undo(change, note=note, progress=progress)
    return show_report(report, json=json)


def _fields(assignments: Values) -> dict[str, object]:
    """The fields of `--set`.

    Raises:
        InvalidInput: One is not a field that it sets.
    """
    fields: dict[str, object] = dict(pairs("--set", assignments, form="FIELD=VALUE"))
    for field in fields:
        if field not in SETTABLE:
            requirement = f"must be one of {', '.join(SETTABLE)}, before the `=`"
            raise InvalidInput("--set", field, requirement, hint=OTHER_WAYS.get(field))
    if "confidence" in fields:
        try:
            fields["confidence"] = float(str(fields["confidence"]))
        except ValueError:
            raise InvalidInput(
                "--set confidence", fields["confidence"], "must be a number"
            ) from None
    return fields


def _observations(replace: Values, start_days: Values, end_days: Values) -> list[dict[str, object]]:
    """The corrections of observations by their ids; an empty day clears the date."""
    corrections: dict[str, dict[str, object]] = {}
    cleared_fields: dict[str, list[str]] = {}
    for option, field, assignments, form in (
        ("--replace", "text", replace, "ID=TEXT"),
        ("--observation-from", "valid_from", start_days, "ID=DAY"),
        ("--observation-until", "valid_until", end_days, "ID=DAY"),
    ):
        for identifier, value in pairs(option, assignments, form=form).items():
            cleared = cleared_fields.setdefault(identifier, [])
            correction = corrections.setdefault(identifier, {"id": identifier, "unset": cleared})
            if value or field == "text":
                correction[field] = value
            else:
                cleared.append(field)
    return list(corrections.values())


def _write_merge(name: str, into: str, report: "Merge") -> None:
    out = output.TextOutput()
    out.write(f"{name} into {into}:")
    for field, (lost_value, kept_value) in report.fields.items():
        verb = "becomes an observation" if field == "text" else "goes"
        out.write_short(f"{field}: {kept_value!r} stays, {lost_value!r} {verb}", indent=2)
    relations = quantity(report.relations, "relation", "relations")
    observations = quantity(report.observations, "observation", "observations")
    dropped = quantity(report.dropped, "relation", "relations")
    out.write(f"{relations} and {observations} move to {into}", indent=2)
    if report.dropped:
        out.write(f"{dropped} dropped: {into} has the same, or it would lead to itself", indent=2)
    out.write(f"aliases added: {', '.join(report.aliases) or 'none'}", indent=2)
    if (warning := report.warning(into)) is not None:
        out.write(warning, indent=2)
