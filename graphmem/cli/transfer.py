"""`graphmem import` and `graphmem export`."""

import itertools
import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TextIO

from cyclopts import Parameter

from graphmem.cli import files, output, pages, session
from graphmem.cli.markdown_export import export_markdown
from graphmem.cli.options import Json, Layers, Place, Project, place, writable_layers
from graphmem.errors import NOT_SHOWN, InvalidInput, NotFound, quantity
from graphmem.importing.format import check_path
from graphmem.memory.access import EVERYTHING, Access
from graphmem.model import PartialWrite, Report
from graphmem.model.projects import ProjectSummary
from graphmem.progress import Progress
from graphmem.transfer import EXPORT_FORMAT, FORMATS

if TYPE_CHECKING:
    from graphmem.memory import Memory

DryRun = Annotated[
    bool, Parameter(help="Show what would be written and what refused, but write nothing.")
]
Mentions = Annotated[
    bool | None,
    Parameter(
        name="--mentions",
        negative="--no-mentions",
        n_tokens=0,
        help="Link each text to the entities it names; the default depends on FORMAT.",
    ),
]
AllowRemovals = Annotated[
    bool,
    Parameter(
        help="Allow removing more than a fifth of what earlier imports of PATH wrote. Only "
        f"{', '.join(name for name, form in FORMATS.items() if form.whole)} remove what is gone.",
        negative="",
    ),
]
Everything = Annotated[
    bool,
    Parameter(
        name="--all",
        help="Import every line of `export --all` into its own project, layers included.",
        negative="",
    ),
]
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
_FORMAT_HELP = "\n".join(("One of:", *(f"{name}: {form.about}" for name, form in FORMATS.items())))


def import_(
    format_name: Annotated[
        str,
        Parameter(name="FORMAT", help=_FORMAT_HELP, choices=tuple(FORMATS), show_choices=False),
    ],
    path: Annotated[Place, Parameter(name="PATH", help="The file or folder to import.")],
    /,
    *,
    project: Project = None,
    dry_run: DryRun = False,
    mentions: Mentions = None,
    allow_removals: AllowRemovals = False,
    everything: Everything = False,
    history: Annotated[
        bool,
        Parameter(
            help="Import what `export --history` wrote, with its history, into this project.",
            negative="",
        ),
    ] = False,
    layers: Layers = None,
    json: Json = False,
) -> int:
    """Import a file or folder; running it again is safe.

    What earlier imports of the same PATH wrote is replaced; what people and agents
    wrote stays. Entities that are gone from PATH stay, too, unless the format takes
    PATH as complete: see --allow-removals.

    Rows that cannot be used are refused with their place and the reason, and the
    others are written; the exit code is then 1. It is also 1 if the database fails
    midway: what was written until then is reported, and stays.

    Passages that still wait for the embedding model are embedded as well.
    """
    for option, is_given in (("--all", everything), ("--history", history)):
        if is_given and format_name != EXPORT_FORMAT:
            raise InvalidInput(option, format_name, f"is for the format {EXPORT_FORMAT} alone")
    if everything and history:
        raise InvalidInput("--history", NOT_SHOWN, "cannot be combined with --all")
    if everything and project is not None:
        raise InvalidInput("--project", project, "cannot be combined with --all")
    source = place("PATH", path)
    # Checked here as well, so that a wrong one starts no database.
    check_path(source)
    access = EVERYTHING if everything else Access(layers=writable_layers(layers, project))
    with session.open_memory(project, model_soon=not dry_run, access=access) as (memory, progress):
        try:
            report = memory.import_(
                format_name,
                source,
                mentions=mentions,
                allow_removals=allow_removals,
                everything=everything,
                history=history,
                dry_run=dry_run,
                progress=progress,
            )
        except PartialWrite as error:
            progress.finish()
            _show(error.report, everything=everything, json=json, error=error)
            raise
        if not dry_run:
            notes = (*report.notes, *memory.model.fill(progress))
            report = replace(report, notes=tuple(dict.fromkeys(notes)))
    _show(report, everything=everything, json=json)
    return 1 if report.refused or report.withheld else 0


def _show(
    report: Report, *, everything: bool, json: bool, error: PartialWrite | None = None
) -> None:
    if json:
        output.document(report.to_json() | ({} if error is None else {"error": str(error)}))
    else:
        where = "all projects" if everything else report.project
        pages.write_report(report, output.TextOutput(), where=where)


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
