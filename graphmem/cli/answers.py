"""A search's answer as people read it."""

from dataclasses import asdict

from rich.text import Text

from graphmem.cli import explanations, session
from graphmem.cli.output import TextOutput, query_words
from graphmem.cli.relation_lines import append_note, append_period, arrow_and_preposition
from graphmem.errors import quantity
from graphmem.model import Answer, Hit, Passage, Via
from graphmem.model.period import validity
from graphmem.model.visible import visible
from graphmem.text import SYMBOL_MARK

INDENT = 11
LINKS = 2
# More projects than these are counted and not named.
PROJECTS_NAMED = 3


def write(answer: Answer, out: TextOutput, *, explain: bool = False, full: bool = False) -> None:
    """Write an answer that was asked for with `explain`.

    Args:
        answer: Its hits carry their explanations.
        out: Where to.
        explain: Whether the parts of each score are written.
        full: Whether all passages are written whole, not the best one's part that matched.
    """
    out.write(_headline(answer))
    if answer.degraded:
        out.write_note(answer.degraded)
    for place, hit in enumerate(answer.hits, 1):
        out.write()
        _write_hit(place, hit, answer, out, full=full)
        if explain:
            explanations.write(hit, out, indent=INDENT)
        else:
            out.write(Text(_day_and_evidence(hit), "dim"), indent=INDENT)
    write_notes(answer, out)


def write_notes(answer: Answer, out: TextOutput) -> None:
    """Write the notes of an answer, a line each, and what to do first in an empty project."""
    if answer.notes:
        out.write()
    for note in answer.notes:
        out.write_note(note, style="dim")
    if _is_of_empty_project(answer):
        out.write(session.FIRST_STEP)


def link_words(via: Via) -> str:
    """Say which entity led to a hit, by which relation and in which direction.

    `⟵ R from A`: the relation goes from A to the hit; `⟶ R to A`: it goes from the hit to A.
    """
    arrow, preposition = arrow_and_preposition(via.direction, seen_from="named")
    return f"{arrow} {via.relation} {preposition} {visible(via.seed)}"


def link_line(via: Via) -> Text:
    """The link with its note."""
    line = Text(link_words(via), "magenta")
    append_period(line, via)
    append_note(line, via)
    return line


def scope_words(answer: Answer) -> str:
    """What was searched: a project, a few by name, or how many there are."""
    if not answer.projects:
        return answer.project
    if len(answer.projects) > PROJECTS_NAMED:
        return f"{len(answer.projects)} projects"
    *first, last = answer.projects
    return f"{', '.join(first)} and {last}"


def _is_of_empty_project(answer: Answer) -> bool:
    is_single = not answer.hits and not answer.projects
    return is_single and session.says_empty(answer.notes, answer.project)


def _headline(answer: Answer) -> Text:
    query = query_words(answer.query)
    if not answer.hits and not query:
        return Text.assemble((f"No hits in {scope_words(answer)}", "bold"), ".")
    if _is_of_empty_project(answer):
        return Text.assemble((f"No hits in {answer.project}", "bold"), f" for “{query}”.")
    if not answer.hits:
        advice = "--status and --any-time find what is hidden or not valid now"
        if not answer.projects:
            advice = (
                f"`graphmem stats` counts what the project holds, {advice}, and --project searches "
                "another one of `graphmem project list`"
            )
        return Text.assemble(
            (f"No hits in {scope_words(answer)}", "bold"), f" for “{query}”. {advice}."
        )
    or_more = "" if answer.total_exact else " or more"
    total_note = f" of {answer.total:,}{or_more}" if answer.total > answer.count else ""
    hits = "hit" if answer.total == 1 else "hits"
    return Text.assemble(
        (f"{answer.count}{total_note} {hits} in {scope_words(answer)}", "bold"), f" for “{query}”"
    )


def _write_hit(place: int, hit: Hit, answer: Answer, out: TextOutput, *, full: bool) -> None:
    out.write(name_line(hit, answer), indent=INDENT, head=f"{place:>3} {hit.score:.3f}")
    write_place(hit, out, indent=INDENT)
    if full:
        for passage in hit.passages:
            write_whole(passage, out)
    elif hit.passages:
        best_passage = hit.passages[0]
        out.write_short(best_passage.snippet or best_passage.text, indent=INDENT)
        if dates := validity(best_passage.valid_from, best_passage.valid_until):
            out.write(Text(dates, "dim"), indent=INDENT)
    also = ("also ", "dim") if hit.origin == "direct" else ""
    for via in hit.via[:LINKS]:
        out.write(Text.assemble(also, link_line(via)), indent=INDENT)
    if (remainder := len(hit.via) - LINKS) > 0:
        out.write(
            Text(f"and {quantity(remainder, 'more link', 'more links')}", "dim"), indent=INDENT
        )


def write_whole(passage: Passage, out: TextOutput) -> None:
    """Write all of a passage, as an item of a list."""
    head = f"{'':{INDENT}}- "
    for line in visible(passage.marked or passage.text).splitlines():
        out.write(line, indent=len(head), head=head)
        head = " " * len(head)
    if dates := validity(passage.valid_from, passage.valid_until):
        out.write(Text(dates, "dim"), indent=len(head), head=head)


def name_line(hit: Hit, answer: Answer) -> Text:
    """The names of a hit, and what else tells it from others."""
    line = Text.assemble((hit.name, "bold"), "  ", (hit.kind, "cyan"))
    if hit.lines and SYMBOL_MARK not in hit.name:
        line.append(f"  lines {hit.lines}")
    if hit.title and hit.title != hit.name:
        line.append(f"  {visible(hit.title)}", "dim")
    if hit.status != "active":
        line.append(f"  {hit.status}", "yellow")
    if dates := validity(hit.valid_from, hit.valid_until):
        line.append(f"  {dates}", "yellow")
    if answer.projects or hit.project != answer.project:
        line.append(f"  in {hit.project}", "yellow")
    if hit.tags:
        line.append(f"  {' '.join(f'#{tag}' for tag in hit.tags)}", "blue")
    return line


def write_place(hit: Hit, out: TextOutput, *, indent: int) -> None:
    """Write where a symbol of code begins, as editors and terminals open it: `src/a.py:42`.

    It is never broken into lines, so that it stays right to copy.
    """
    path, mark, _ = hit.name.partition(SYMBOL_MARK)
    if mark and hit.lines:
        place = f"{path}:{hit.lines.partition('-')[0]}"
        out.write(Text(place, "dim", no_wrap=True, overflow="ignore"), indent=indent)


def _day_and_evidence(hit: Hit) -> str:
    """The day on which the passage that is shown was said, and what each leg found."""
    passage_moment = hit.passages[0].created_at if hit.passages else None
    moment = passage_moment or hit.created_at
    evidence = _evidence_by_leg(hit)
    return evidence if moment is None else f"{moment:%Y-%m-%d}  {evidence}".rstrip()


def _evidence_by_leg(hit: Hit) -> str:
    parts = asdict(hit.matched).items()
    labels = [f"{leg} {evidence:.2f}" for leg, evidence in parts if evidence > 0]
    if hit.explanation is not None and hit.explanation.reranked is not None:
        labels.append(f"reranked {hit.explanation.reranked:.2f}")
    return " · ".join(labels)
