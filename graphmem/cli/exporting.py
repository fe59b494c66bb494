"""`graphmem export`."""

import itertools
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TextIO

from cyclopts import Parameter

from graphmem.cli import files, output, session
from graphmem.cli.markdown_export import export_markdown
from graphmem.cli.options import Project
from graphmem.errors import NOT_SHOWN, InvalidInput, NotFound, quantity
from graphmem.model.projects import ProjectSummary
from graphmem.progress import Progress
from graphmem.transfer import EXPORT_FORMAT

if TYPE_CHECKING:
    from graphmem.memory import Memory

MARKDOWN = "markdown"
EXPORT_FORMATS = (EXPORT_FORMAT, MARKDOWN)
ExportForm = Annotated[
    str,
    Parameter(
        name="--format",
        help="jsonl: all of it, to be read by programs. markdown: a folder of notes, to be "
        "read by people, in git or an editor such as Obsidian.",
        choices=EXPORT_FORMATS,
    ),
]
Output = Annotated[
    Path | None,
    Parameter(
        name=("--output", "-o"),
        help="File to write, replaced as a whole at the end; by default stdout. With "
        "--format markdown: a folder that is new or empty.",
    ),
]
WholeStore = Annotated[
    bool,
    Parameter(
        name="--all",
        help="Every project and layer, with history; `import jsonl --all` reads it.",
        negative="",
    ),
]
WithHistory = Annotated[
    bool | None,
    Parameter(
        negative="--no-history",
        n_tokens=0,
        help="Include who asserted what, and every change; the default with --all.",
    ),
]
# Lines of an export between two looks at how far it is.
SHOWN_LINES = 500


def export(
    *,
    project: Project = None,
    form: ExportForm = EXPORT_FORMAT,
    output_file: Output = None,
    everything: WholeStore = False,
    history: WithHistory = None,
    json: Annotated[
        bool, Parameter(name="--json", help="With --output: print the counts as one JSON document.")
    ] = False,
) -> int:
    """Export a project as JSON lines or as Markdown notes.

    Without --history, the lines have what is stored now: entities, relations, and
    former names. `import jsonl` reads them; with --history it reads what --history
    writes. `import markdown` reads the notes, an entity each, which have neither
    history nor former names, and none of what is forgotten or removed.
    """
    if form == MARKDOWN:
        for option, is_given in (("--all", everything), ("--history", history is not None)):
            if is_given:
                raise InvalidInput(option, form, f"is for the format {EXPORT_FORMAT} alone")
        return export_markdown(output_file, project=project, json=json)
    if everything and project is not None:
        raise InvalidInput("--project", project, "cannot be combined with --all")
    _check_output(output_file, json=json)
    with session.open_memory(project) as (memory, progress):
        project_words = "all projects" if everything else memory.project_name()
        rows = (
            memory.export_all(history=history is not False)
            if everything
            else memory.export(history=bool(history))
        )
        first_row = next(rows, None)
        if first_row is None:
            raise NotFound(_nothing_to_export(memory, None if everything else project_words))
        progress.finish()
        if output_file is not None or not sys.stdout.isatty():  # there the lines show it
            rows = _shown(rows, memory.projects(None if everything else [project_words]), progress)
        rows = itertools.chain([first_row], rows)
        if output_file is None:
            _write(rows, output.json_stdout())
            return 0
        with files.replacing(output_file) as stream:
            count = _write(rows, stream)
    if json:
        output.document({"project": project_words, "lines": count, "output": str(output_file)})
    else:
        lines = quantity(count, "line", "lines")
        output.say(f"{lines} of {project_words} written to {output_file}")
    return 0


def _check_output(output_file: Path | None, *, json: bool) -> None:
    """Refuse a file that cannot be written, and none where stdout has the counts."""
    if output_file is not None:
        files.target_of(output_file)
    elif json:
        raise InvalidInput(
            "--output", NOT_SHOWN, "is required with --json, because stdout has the JSON lines"
        )


def _nothing_to_export(memory: "Memory", project: str | None) -> str:
    """That a project, or none of all, holds anything, and others that may be meant."""
    predicate = "holds nothing to export"
    note = project and session.empty_project_note(memory, project, predicate)
    return note or f"{project or 'the store'} {predicate}"


def _shown(
    rows: Iterable[dict[str, object]], summaries: Iterable[ProjectSummary], progress: Progress
) -> Iterator[dict[str, object]]:
    """The rows themselves; shows how many there were, of about how many."""
    expected = sum(summary.entities + summary.relations for summary in summaries)
    for count, row in enumerate(rows, 1):
        yield row
        if count % SHOWN_LINES == 0:
            progress.advance("Exporting", count, max(expected, count))


def _write(rows: Iterable[dict[str, object]], stream: TextIO) -> int:
    count = 0
    for row in rows:
        stream.write(f"{output.one_json(row, stream)}\n")
        count += 1
    return count
