"""A listing of what changed last, as people read it."""

from rich.text import Text

from graphmem.cli.answers import name_line, scope_words, write_notes, write_place, write_whole
from graphmem.cli.output import TextOutput
from graphmem.model import Answer
from graphmem.model.period import validity

INDENT = 18


def write(answer: Answer, out: TextOutput, *, full: bool = False, is_filtered: bool = True) -> None:
    """Write the entities of a listing, each with the day and minute of its last change in UTC.

    Args:
        answer: What was listed.
        out: Where to.
        full: Whether all passages are written whole, not the beginning of the first.
        is_filtered: Whether the caller gave filters, which may be why nothing was listed.
    """
    out.write(_headline(answer, is_filtered=is_filtered))
    for hit in answer.hits:
        out.write()
        changed = "" if hit.updated_at is None else f"{hit.updated_at:%Y-%m-%d %H:%M}"
        out.write(name_line(hit, answer), indent=INDENT, head=Text(changed, "dim"))
        write_place(hit, out, indent=INDENT)
        if full:
            for passage in hit.passages:
                write_whole(passage, out)
        elif hit.passages:
            first_passage = hit.passages[0]
            out.write_short(first_passage.text, indent=INDENT)
            if dates := validity(first_passage.valid_from, first_passage.valid_until):
                out.write(Text(dates, "dim"), indent=INDENT)
    write_notes(answer, out)


def _headline(answer: Answer, *, is_filtered: bool) -> Text:
    if not answer.hits:
        rest = " pass the filters." if is_filtered else "."
        return Text.assemble((f"No entities in {scope_words(answer)}", "bold"), rest)
    total_note = f" of {answer.total:,}" if answer.total > answer.count else ""
    entities = "entity" if answer.total == 1 else "entities"
    return Text.assemble(
        (f"{answer.count}{total_note} {entities} in {scope_words(answer)}", "bold"),
        ", last changed first (UTC)",
    )
