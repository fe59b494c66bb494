"""Whole entities, counts and reports as people read them."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from rich.text import Text

from graphmem.cli.output import TextOutput, counted
from graphmem.model import Entity, Observation, Report
from graphmem.model.json_object import plain_attributes
from graphmem.model.period import holding, period
from graphmem.model.visible import visible

if TYPE_CHECKING:
    from graphmem.model.overview import Changed, Linked, Overview
    from graphmem.model.page import Neighbour, Page
    from graphmem.model.projects import ProjectChange, ProjectSummary
    from graphmem.model.stats import Stats

REFUSED_SHOWN = 20
NAMES_SHOWN = 20
FIELD = 14
DATED = 20
COUNTED = 12
SUMMED = 35


def write_page(page: "Page", out: TextOutput) -> None:
    """Write an entity: names, fields, text, observations, relations."""
    entity = page.entity
    out.write(Text.assemble((entity.name, "bold"), "  ", (entity.kind or "", "cyan")))
    if entity.title and entity.title != entity.name:
        out.write(Text(visible(entity.title), "dim"))
    for field, value in _fields(entity).items():
        _write_field(field, value, out)
    if entity.text:
        out.write()
        for line in visible(entity.text).rstrip().splitlines():
            out.write(line)
    if entity.observations:
        _head("Observations", out)
        for one in entity.observations:
            out.write(_observation(one), indent=4, head="  -")
    if page.neighbours:
        _head("Relations", out)
        for neighbour in page.neighbours:
            way = "  ⟶" if neighbour.direction == "out" else "  ⟵"
            out.write(_neighbour(neighbour), indent=4, head=Text(way, "magenta"))
    if page.omitted_relations:
        out.write(f"and {page.omitted_relations:,} more; `graphmem export` has all", indent=4)


def write_stats(stats: "Stats", out: TextOutput) -> None:
    """Write the counts of a project, each sort's most frequent first."""
    out.write(Text(stats.project, "bold"))
    waiting = f", {stats.pending:,} of them wait for the model" if stats.pending else ""
    _write_field("entities", f"{stats.entities:,}", out)
    _write_field("relations", f"{stats.relations:,}", out)
    _write_field("passages", f"{stats.passages:,}{waiting}", out)
    for name, counts in (
        ("kinds", stats.kinds),
        ("statuses", stats.statuses),
        ("tags", stats.tags),
        ("link types", stats.types),
    ):
        if counts:
            _write_field(name, _counts(counts), out)


def write_overview(overview: "Overview", out: TextOutput) -> None:
    """Write the counts of a project, then the lists of its entities that are not empty."""
    write_stats(overview, out)
    if overview.recent:
        _head("Changed last (UTC)", out)
        for changed in overview.recent:
            head = Text(f"  {changed.updated_at:%Y-%m-%d %H:%M}", "dim")
            _write_named(changed, out, head=head, indent=DATED)
    for title, linked in (
        ("Most relations", overview.hubs),
        (f"Not described yet ({overview.undescribed:,})", overview.stubs),
    ):
        if linked:
            _head(title, out)
        for one in linked:
            head = Text(f"  {one.relations:>8,}", "dim")
            _write_named(one, out, head=head, indent=COUNTED)


def _write_named(one: "Changed | Linked", out: TextOutput, *, head: Text, indent: int) -> None:
    name = Text.assemble((visible(one.name), "bold"), "  ", (visible(one.kind), "cyan"))
    out.write(name, indent=indent, head=head)


def write_projects(listed: "Sequence[ProjectSummary]", out: TextOutput, *, own: str | None) -> None:
    """Write a line for each project: entities, relations, the day of the last change, the name."""
    if not listed:
        out.write("No project holds anything yet.")
        return
    out.write(Text(f"{'entities':>10}{'relations':>11}  {'changed':<12}project", "dim"))
    for one in listed:
        day = "" if one.updated_at is None else one.updated_at.date().isoformat()
        name = Text(visible(one.project), "bold")
        if one.project == own:
            name.append("  (this folder's)", "dim")
        out.write(name, indent=SUMMED, head=f"{one.entities:>10,}{one.relations:>11,}  {day}")


def write_project_change(change: "ProjectChange", out: TextOutput, *, done: str) -> None:
    """Write what became of a project, then what stayed with the reasons."""
    entities = counted(change.entities, "entity", "entities")
    relations = counted(change.relations, "relation", "relations")
    into = f" to {visible(change.into)}" if change.into else ""
    summary = f"{entities} and {relations} {done}{into}"
    joined = f"; {change.joined:,} joined with what was there" if change.joined else ""
    out.write(Text.assemble((visible(change.project), "bold"), f"  {summary}{joined}"))
    for item in change.refused[:REFUSED_SHOWN]:
        reason = f"{visible(item.name)}: {visible(item.reason or '')}"
        out.write(reason, indent=11, head=Text("  stayed", "yellow"))
    for note in change.notes:
        out.write(Text(f"Note: {visible(note)}.", "yellow"))


def write_report(report: Report, out: TextOutput) -> None:
    """Write what a write did: counts, then the refused with their places and reasons."""
    done = "Nothing was written. It would be: " if report.dry_run else ""
    entities, relations = report.counts("entity"), report.counts("relation")
    parts = [
        f"{sort} {', '.join(f'{count:,} {outcome}' for outcome, count in counts.items() if count)}"
        for sort, counts in (("entities:", entities), ("relations:", relations))
        if any(counts.values())
    ]
    summary = "; ".join(parts) or "nothing to do"
    out.write(Text.assemble((report.project, "bold"), f"  {done}{summary}"))
    for item in report.refused[:REFUSED_SHOWN]:
        where = f"{item.place}: " if item.place and item.place != item.name else ""
        reason = f"{visible(where + item.name)}: {visible(item.reason or '')}"
        out.write(reason, indent=11, head=Text("  refused", "yellow"))
    if len(report.refused) > REFUSED_SHOWN:
        more = len(report.refused) - REFUSED_SHOWN
        out.write(f"and {more:,} more were refused; --json lists them all", indent=2)
    for note in report.notes:
        out.write(Text(f"Note: {visible(note)}.", "yellow"))


def _fields(entity: Entity) -> dict[str, str]:
    known = entity.to_json()
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
        "holds": holding(entity.valid_from, entity.valid_until).removeprefix("holds "),
    }
    attributes = known.get("attributes")
    own = attributes if isinstance(attributes, dict) else {}
    return {name: value for name, value in fields.items() if value} | {
        name: _attribute(value) for name, value in own.items()
    }


def _attribute(value: object) -> str:
    if isinstance(value, list):
        return ", ".join(_attribute(one) for one in value)
    if isinstance(value, dict):  # a date or a moment
        return ", ".join(str(one) for one in value.values())
    return str(value).lower() if isinstance(value, bool) else str(value)


def _write_field(name: str, value: str, out: TextOutput) -> None:
    head = Text(f"  {visible(name)} ", "dim")
    out.write(" ".join(visible(value).split()), indent=FIELD, head=head)


def _observation(one: Observation) -> Text:
    facts = [
        one.created_at.date().isoformat() if one.created_at else "",
        holding(one.valid_from, one.valid_until),
        one.source or "",
        "" if one.confidence is None else f"confidence {one.confidence:g}",
    ]
    known = ", ".join(fact for fact in facts if fact)
    return Text.assemble(
        f"{' '.join(visible(one.text).split())}", (f"  ({known})" if known else "", "dim")
    )


def _neighbour(one: "Neighbour") -> Text:
    way = "to" if one.direction == "out" else "from"
    line = Text.assemble((f"{one.relation} {way} ", "magenta"), one.name, ("  " + one.kind, "cyan"))
    if one.weight != 1:
        line.append(f"  weight {one.weight:g}", "dim")
    if one.confidence is not None:
        line.append(f"  confidence {one.confidence:g}", "dim")
    if dated := period(one.valid_from, one.valid_until):
        line.append(f"  {dated}", "dim")
    if one.source:
        line.append(f"  {visible(one.source)}", "dim")
    for name, value in plain_attributes(one.attributes).items():
        line.append(f"  {visible(name)}: {visible(_attribute(value))}", "dim")
    if one.note:
        line.append(f" — {' '.join(visible(one.note).split())}", "dim")
    return line


def _head(title: str, out: TextOutput) -> None:
    out.write()
    out.write(Text(title, "bold"))


def _counts(counts: Mapping[str, int]) -> str:
    shown = [f"{name} {count:,}" for name, count in list(counts.items())[:NAMES_SHOWN]]
    more = len(counts) - len(shown)
    return ", ".join(shown) + (f" and {more} more" if more > 0 else "")
