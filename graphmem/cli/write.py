"""`graphmem remember`, `link`, `unlink` and `forget`."""

from typing import Annotated, Any, Literal

from cyclopts import Parameter

from graphmem import arguments
from graphmem.cli import output, session
from graphmem.cli.option_names import fields_as_options
from graphmem.cli.options import (
    AS_TEXT,
    Attributes,
    Json,
    Project,
    Status,
    Values,
    attributes,
    standard_input,
)
from graphmem.errors import NOT_SHOWN, InvalidInput, quantity
from graphmem.model import Entity, Relation, Report, limits

ValidFrom = Annotated[
    str | None, Parameter(help="The first day, or the moment, from which it is valid.")
]
ValidUntil = Annotated[
    str | None, Parameter(help="The last day, or the moment, until which it is valid.")
]
Overwrite = Annotated[
    bool,
    Parameter(
        help="Delete the stored aliases, tags, attributes and observations that are not given."
    ),
]
ObservationSource = Annotated[
    str | None, Parameter(help="Who or what stated the observations of this command.")
]
ObservationFrom = Annotated[
    str | None, Parameter(help="When the observations of this command become valid.")
]
ObservationUntil = Annotated[
    str | None, Parameter(help="The last day, or the moment, until which they are valid.")
]


Names = Annotated[str, Parameter(help="Names, aliases, titles or keys.", required=True)]


def remember(
    name: Annotated[str, Parameter(help="The entity's name, unique in its project.")],
    /,
    *,
    kind: Annotated[str | None, Parameter(help="What it is, such as Person or Decision.")] = None,
    title: Annotated[str | None, Parameter(help="A longer name.")] = None,
    text: Annotated[
        str | None,
        Parameter(
            help="Its text, at most 1 MiB; `-` reads it from stdin.", allow_leading_hyphen=True
        ),
    ] = None,
    observation: Annotated[
        Values, Parameter(help="A note about it, added to those it has; may be repeated.")
    ] = (),
    alias: Annotated[Values, Parameter(help="Another name; may be repeated.")] = (),
    tag: Annotated[Values, Parameter(help="A tag; may be repeated.")] = (),
    status: Annotated[
        Status | None,
        Parameter(help="Status, such as active or superseded; a new entity is active."),
        AS_TEXT,
    ] = None,
    category: Annotated[str | None, Parameter(help="A category.")] = None,
    confidence: Annotated[float | None, Parameter(help="How certain it is, 0 to 1.")] = None,
    source: Annotated[str | None, Parameter(help="Where the entity comes from.")] = None,
    attribute: Attributes = (),
    valid_from: ValidFrom = None,
    valid_until: ValidUntil = None,
    observation_source: ObservationSource = None,
    observation_from: ObservationFrom = None,
    observation_until: ObservationUntil = None,
    overwrite: Overwrite = False,
    project: Project = None,
    json: Json = False,
) -> int:
    """Create an entity, or add to an existing one.

    Fields that are not given stay as they are, and repeating a command changes
    nothing. To write many entities at once, use `graphmem import jsonl FILE`.
    """
    fields = {
        "name": name,
        "kind": kind,
        "title": title,
        "text": _text(text),
        "observations": _observations(
            observation, observation_source, observation_from, observation_until
        ),
        "aliases": list(alias),
        "tags": list(tag),
        "status": status,
        "category": category,
        "confidence": confidence,
        "source": source,
        "attributes": attributes("--attribute", attribute),
        "valid_from": valid_from,
        "valid_until": valid_until,
    }
    with fields_as_options("entity"):
        entity = Entity.from_json(fields)
    with session.open_memory(project, model_soon=True) as (memory, progress):
        report = memory.remember([entity], overwrite=overwrite, progress=progress)
    return show_report(report, json=json)


def _text(option: str | None) -> str | None:
    """The text that is given; a program that failed gives an empty one, which would delete another.

    Raises:
        InvalidInput: It is blank.
    """
    text = standard_input("--text") if option == "-" else option
    if text is not None and not text.strip():
        hint = "To delete the text of an entity, use `graphmem edit NAME --unset text`."
        raise InvalidInput("--text", NOT_SHOWN, "must not be blank", hint=hint)
    return text


def _observations(
    texts: Values, source: str | None, valid_from: str | None, valid_until: str | None
) -> list[dict[str, object]]:
    for option, value in (
        ("--observation-source", source),
        ("--observation-from", valid_from),
        ("--observation-until", valid_until),
    ):
        if value is not None and not texts:
            raise InvalidInput(option, value, "must be given with --observation")
    return [
        {"text": text, "source": source, "valid_from": valid_from, "valid_until": valid_until}
        for text in texts
    ]


def link(
    start: Annotated[str, Parameter(name="FROM", help="The entity where the relation starts.")],
    relation: Annotated[str, Parameter(help="The relation's type, such as DEPENDS_ON.")],
    end: Annotated[str, Parameter(name="TO", help="The entity where it ends.")],
    /,
    *,
    note: Annotated[str | None, Parameter(help="Why they are linked.")] = None,
    weight: Annotated[float | None, Parameter(help="Link strength, 0 to 1; default 1.")] = None,
    confidence: Annotated[float | None, Parameter(help="How certain it is, 0 to 1.")] = None,
    source: Annotated[str | None, Parameter(help="Who or what stated it.")] = None,
    attribute: Attributes = (),
    valid_from: ValidFrom = None,
    valid_until: ValidUntil = None,
    unset: Annotated[
        Values,
        Parameter(
            help="A field to clear: note, weight, confidence, source, valid_until or "
            "attributes.NAME; may be repeated."
        ),
    ] = (),
    replaces: Annotated[
        Literal["from", "to"] | None,
        Parameter(
            help="End the other relations of this type from FROM (a new employer), or to TO (a new "
            "owner), the day before this one begins: at --valid-from, or today."
        ),
    ] = None,
    project: Project = None,
    json: Json = False,
) -> int:
    """Create or update a relation between two entities.

    Relations of one type between the same entities are kept side by side if they
    are valid from different days.
    """
    fields: dict[str, Any] = {
        "note": note,
        "weight": weight,
        "confidence": confidence,
        "source": source,
        "attributes": attributes("--attribute", attribute),
        "valid_from": valid_from,
        "valid_until": valid_until,
        "unset": list(unset),
    }
    with fields_as_options("relation"):
        ends = {"from": start, "relation": relation, "to": end}
        Relation.from_json(ends | fields, corrects=True)
    with session.open_memory(project) as (memory, _):
        report = memory.link(start, relation, end, **fields, replaces=replaces)
    return show_report(report, json=json)


def unlink(
    start: Annotated[str, Parameter(name="FROM", help="The entity where the relations start.")],
    middle: Annotated[
        str | None,
        Parameter(name="RELATION", help="Their type; by default relations of every type."),
    ] = None,
    end: Annotated[str | None, Parameter(name="TO", help="The entity where they end.")] = None,
    /,
    *,
    relation: Annotated[str | None, Parameter(help="The same as RELATION.")] = None,
    valid_from: Annotated[
        str | None,
        Parameter(help='Only those valid from this day, or "" for those without a first day.'),
    ] = None,
    project: Project = None,
    json: Json = False,
) -> int:
    """Delete the relations from one entity to another."""
    if end is None:
        middle, end = None, middle
    if middle is not None and relation is not None:
        raise InvalidInput("--relation", relation, "must be left out where RELATION is given")
    if end is None:
        raise InvalidInput("TO", NOT_SHOWN, "must be given")
    arguments.name_given("start", start)
    arguments.name_given("end", end)
    if relation is not None:
        limits.relation_type("--relation", relation)
    if middle is not None:
        relation = limits.relation_type("RELATION", middle)
    if valid_from:
        limits.day_or_moment("valid_from", valid_from)
    with session.open_memory(project) as (memory, _):
        report = memory.unlink(start, end, relation, valid_from=valid_from)
    count = len(report.items)
    if json:
        notes = list(report.notes)
        output.document({"project": report.project, "deleted": count, "notes": notes})
    else:
        out = output.TextOutput()
        relations = quantity(count, "relation", "relations")
        out.write(f"{report.project}  {relations} deleted from {start} to {end}")
        for note in report.notes:
            out.write_note(note)
    return 0 if count else 1


def forget(*names: Names, project: Project = None, json: Json = False) -> int:
    """Hide entities from searches; `restore` brings them back."""
    arguments.names(names)
    with session.open_memory(project) as (memory, _):
        report = memory.forget(names)
    return show_report(report, json=json)


def show_report(report: Report, *, json: bool) -> int:
    """Write what became of each item; 1 where one was refused."""
    if json:
        output.document(report.to_json())
    else:
        from graphmem.cli import pages

        pages.write_report(report, output.TextOutput())
    return 1 if report.refused else 0
