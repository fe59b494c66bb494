"""Whole entities, counts and reports as people read them."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from rich.text import Text

from graphmem.cli.output import TextOutput
from graphmem.cli.relation_lines import append_note, append_period, arrow_and_preposition
from graphmem.cli.session import FIRST_STEP
from graphmem.errors import quantity
from graphmem.model import Entity, Observation, Report
from graphmem.model.json_object import plain_attributes
from graphmem.model.period import validity
from graphmem.model.visible import visible, visible_line

if TYPE_CHECKING:
    from graphmem.model.overview import Changed, Linked, Overview
    from graphmem.model.page import Neighbour, Page
    from graphmem.model.projects import ProjectChange, ProjectSummary
    from graphmem.model.stats import Stats

REFUSED_SHOWN = 20
# Where more than these are refused, and all for one reason.
SAME_SHOWN = 3
NAMES_SHOWN = 20
FIELD = 14
COUNTS = 18
DATED = 20
COUNTED = 12
SUMMED = 35


def write_page(page: "Page", out: TextOutput) -> None:
    """Write an entity: names, fields, text, observations, relations."""
    entity = page.entity
    out.write(Text.assemble((entity.name, "bold"), "  ", (entity.kind or "", "cyan")))
    if entity.title and entity.title != entity.name:
        out.write(Text(visible(entity.title), "dim"))
    for field, value in _fields(entity, page.revision):
        _write_field(field, value, out)
    if entity.text:
        out.write()
        for line in visible(entity.text).rstrip().splitlines():
            out.write(line)
    if entity.observations:
        _head("Observations", out)
        for observation in entity.observations:
            out.write(_observation(observation), indent=4, head="  -")
    if page.neighbours:
        _head("Relations", out)
        for neighbour in page.neighbours:
            arrow, _ = arrow_and_preposition(neighbour.direction, seen_from="owner")
            out.write(_neighbour(neighbour), indent=4, head=Text(f"  {arrow}", "magenta"))
    if page.omitted_relations:
        out.write(f"and {page.omitted_relations:,} more; `graphmem export` has all", indent=4)


def write_stats(stats: "Stats", out: TextOutput) -> None:
    """Write the counts of a project, each sort's most frequent first."""
    out.write(Text(stats.project, "bold"))
    pending = f", {stats.pending:,} of them wait for the model" if stats.pending else ""
    _write_field("entities", f"{stats.entities:,}", out, indent=COUNTS)
    _write_field("relations", f"{stats.relations:,}", out, indent=COUNTS)
    _write_field("passages", f"{stats.passages:,}{pending}", out, indent=COUNTS)
    for name, counts in (
        ("kinds", stats.kinds),
        ("statuses", stats.statuses),
        ("tags", stats.tags),
        ("relation types", stats.types),
    ):
        if counts:
            _write_field(name, _counts(counts), out, indent=COUNTS)


def write_overview(overview: "Overview", out: TextOutput) -> None:
    """Write the counts of a project, then the lists of its entities that are not empty."""
    write_stats(overview, out)
    for note in overview.notes:
        out.write_note(note)
    if not overview.entities:
        out.write(FIRST_STEP)
    if overview.recent:
        moments = [entity.updated_at for entity in overview.recent]
        in_order = moments == sorted(moments, reverse=True)
        order = "" if in_order else "; imported entities last"
        _head(f"Latest changes (UTC){order}", out)
        for entity in overview.recent:
            head = Text(f"  {entity.updated_at:%Y-%m-%d %H:%M}", "dim")
            _write_name(entity, out, head=head, indent=DATED)
    for title, entities in (
        ("Most relations", overview.hubs),
        (f"Not described yet ({overview.undescribed:,})", overview.stubs),
    ):
        if entities:
            _head(title, out)
        for linked_entity in entities:
            head = Text(f"  {linked_entity.relations:>8,}", "dim")
            _write_name(linked_entity, out, head=head, indent=COUNTED)


def _write_name(entity: "Changed | Linked", out: TextOutput, *, head: Text, indent: int) -> None:
    name = Text.assemble((visible(entity.name), "bold"), "  ", (visible(entity.kind), "cyan"))
    out.write(name, indent=indent, head=head)


def write_projects(
    summaries: "Sequence[ProjectSummary]", out: TextOutput, *, own_project: str | None
) -> None:
    """Write a line for each project: entities, relations, the day of the last change, the name."""
    if not summaries:
        out.write("No project holds anything yet.")
        return
    head = Text(f"{'entities':>10}{'relations':>11}  changed", "dim")
    out.write(Text("project", "dim"), indent=SUMMED, head=head)
    for summary in summaries:
        day = "" if summary.updated_at is None else summary.updated_at.date().isoformat()
        name = Text(visible(summary.project), "bold")
        if summary.project == own_project:
            name.append("  (this folder's)", "dim")
        out.write(
            name, indent=SUMMED, head=f"{summary.entities:>10,}{summary.relations:>11,}  {day}"
        )


def write_project_change(change: "ProjectChange", out: TextOutput, *, verb: str) -> None:
    """Write what became of a project, then what stayed with the reasons."""
    entities = quantity(change.entities, "entity", "entities")
    relations = quantity(change.relations, "relation", "relations")
    target_note = f" to {visible(change.into)}" if change.into else ""
    summary = f"{entities} and {relations} {verb}{target_note}"
    joined_note = (
        f"; {change.joined:,} of them merged with entities of the same name"
        if change.joined
        else ""
    )
    out.write(Text.assemble((visible(change.project), "bold"), f"  {summary}{joined_note}"))
    for item in change.refused[:REFUSED_SHOWN]:
        reason = f"{visible(item.name)}: {visible(item.reason or '')}"
        out.write(reason, indent=11, head=Text("  stayed", "yellow"))
    if (remainder := len(change.refused) - REFUSED_SHOWN) > 0:
        out.write(f"and {remainder:,} more stayed; --json lists them all", indent=2)
    for note in change.notes:
        out.write_note(note)


def write_report(report: Report, out: TextOutput, *, where: str | None = None) -> None:
    """Write what a write did: counts, then the refused with their places and reasons.

    Args:
        report: What was done.
        out: Where to.
        where: What was written to; by default the project of the report.
    """
    dry_run_note = "dry run, nothing was written; " if report.dry_run else ""
    entities, relations = report.counts("entity"), report.counts("relation")
    parts = [
        f"{sort} {', '.join(f'{count:,} {outcome}' for outcome, count in counts.items() if count)}"
        for sort, counts in (("entities:", entities), ("relations:", relations))
        if any(counts.values())
    ]
    summary = "; ".join(parts) or "nothing to do"
    out.write(Text.assemble((where or report.project, "bold"), f"  {dry_run_note}{summary}"))
    refused = report.refused
    is_one_reason = len(refused) > REFUSED_SHOWN and len({item.reason for item in refused}) == 1
    shown = refused[: SAME_SHOWN if is_one_reason else REFUSED_SHOWN]
    for item in shown:
        place = f"{item.place}: " if item.place and item.place != item.name else ""
        reason = f"{visible(place + item.name)}: {visible(item.reason or '')}"
        out.write(reason, indent=11, head=Text("  refused", "yellow"))
    if remainder := len(refused) - len(shown):
        why = " for the same reason" if is_one_reason else ""
        out.write(f"and {remainder:,} more were refused{why}; --json lists them all", indent=2)
    for note in report.notes:
        out.write_note(note)


def _fields(entity: Entity, revision: int | None) -> list[tuple[str, str]]:
    """Names and values, the custom attributes last: `updated` may be one, too."""
    document = entity.to_json()
    fields = {
        "project": entity.project,
        "status": entity.status,
        "category": entity.category,
        "tags": ", ".join(entity.tags),
        "aliases": ", ".join(entity.aliases),
        "confidence": None if entity.confidence is None else f"{entity.confidence:g}",
        "source": entity.source,
        "created": entity.created_at.date().isoformat() if entity.created_at else None,
        "updated": entity.updated_at.date().isoformat() if entity.updated_at else None,
        "revision": None if revision is None else f"{revision:,}",
        "valid": validity(entity.valid_from, entity.valid_until).removeprefix("valid "),
    }
    attributes = document.get("attributes")
    custom = attributes if isinstance(attributes, dict) else {}
    return [
        *((name, value) for name, value in fields.items() if value),
        *((name, _attribute(value)) for name, value in custom.items()),
    ]


def _attribute(value: object) -> str:
    if isinstance(value, list):
        return ", ".join(_attribute(item) for item in value)
    if isinstance(value, dict):  # a date or a moment
        return ", ".join(str(item) for item in value.values())
    return str(value).lower() if isinstance(value, bool) else str(value)


def _write_field(name: str, value: str, out: TextOutput, *, indent: int = FIELD) -> None:
    head = Text(f"  {visible(name)} ", "dim")
    out.write(visible_line(value), indent=indent, head=head)


def _observation(observation: Observation) -> Text:
    facts = [
        observation.created_at.date().isoformat() if observation.created_at else "",
        validity(observation.valid_from, observation.valid_until),
        observation.source or "",
        "" if observation.confidence is None else f"confidence {observation.confidence:g}",
        f"id {observation.id}" if observation.id else "",
    ]
    details = ", ".join(fact for fact in facts if fact)
    return Text.assemble(
        f"{visible_line(observation.text)}",
        (f"  ({details})" if details else "", "dim"),
    )


def _neighbour(neighbour: "Neighbour") -> Text:
    _, preposition = arrow_and_preposition(neighbour.direction, seen_from="owner")
    line = Text.assemble(
        (f"{neighbour.relation} {preposition} ", "magenta"),
        neighbour.name,
        ("  " + neighbour.kind, "cyan"),
    )
    if neighbour.status:
        line.append(f"  {visible(neighbour.status)}", "yellow")
    if neighbour.weight != 1:
        line.append(f"  weight {neighbour.weight:g}", "dim")
    if neighbour.confidence is not None:
        line.append(f"  confidence {neighbour.confidence:g}", "dim")
    append_period(line, neighbour)
    if neighbour.source:
        line.append(f"  {visible(neighbour.source)}", "dim")
    for name, value in plain_attributes(neighbour.attributes).items():
        line.append(f"  {visible(name)}: {visible_line(_attribute(value))}", "dim")
    append_note(line, neighbour)
    return line


def _head(title: str, out: TextOutput) -> None:
    out.write()
    out.write(Text(title, "bold"))


def _counts(counts: Mapping[str, int]) -> str:
    entries = [f"{name} {count:,}" for name, count in list(counts.items())[:NAMES_SHOWN]]
    remainder = len(counts) - len(entries)
    return ", ".join(entries) + (f" and {remainder} more" if remainder > 0 else "")
