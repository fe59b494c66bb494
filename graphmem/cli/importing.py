"""`graphmem import`."""

import sys
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from graphmem.cli import output, pages, session
from graphmem.cli.options import Json, Layers, Place, Project, place, writable_layers
from graphmem.cli.progress import PAUSE, ProgressDisplay
from graphmem.errors import NOT_SHOWN, InvalidInput
from graphmem.importing.format import check_path
from graphmem.memory.access import EVERYTHING, Access
from graphmem.memory.imports.options import ImportOptions
from graphmem.model import PartialWrite, Report
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
Watch = Annotated[
    bool,
    Parameter(
        help="Import again whenever the files of PATH change, until Ctrl-C.",
        negative="",
    ),
]
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
    watch: Watch = False,
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

    With --watch, each import that changes something is reported, until Ctrl-C.
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
    options = ImportOptions(mentions, allow_removals, everything, history)
    with session.open_memory(project, model_soon=not dry_run, access=access) as (memory, progress):
        repeatable = _Import(memory, format_name, source, options, dry_run=dry_run, json=json)
        if not watch:
            return repeatable.run(progress)
        from graphmem.cli.watching import import_on_changes

        def import_once() -> int:
            with ProgressDisplay(delay=PAUSE) as own_progress:
                return repeatable.run(own_progress)

        import_on_changes(import_once, source, FORMATS[format_name])
        return 0


@dataclass
class _Import:
    """An import that may run several times.

    Args:
        memory: Where to.
        format_name: The format.
        source: The file or folder.
        options: Its options.
        dry_run: Whether nothing is written.
        json: Whether reports are shown as JSON.
    """

    memory: "Memory"
    format_name: str
    source: Path
    options: ImportOptions
    dry_run: bool = field(kw_only=True)
    json: bool = field(kw_only=True)
    _said: tuple[object, ...] | None = field(default=None, init=False)

    def run(self, progress: ProgressDisplay) -> int:
        """Import, and show what was done unless it is nothing, as before; gives the exit code.

        Raises:
            PartialWrite: The database failed midway; what was written until then is shown.
        """
        try:
            report = self.memory.import_(
                self.format_name,
                self.source,
                mentions=self.options.mentions,
                allow_removals=self.options.allow_removals,
                everything=self.options.everything,
                history=self.options.history,
                dry_run=self.dry_run,
                progress=progress,
            )
        except PartialWrite as error:
            progress.finish()
            self._show(error.report, error)
            raise
        if not self.dry_run:
            notes = (*report.notes, *self.memory.model.fill(progress))
            report = replace(report, notes=tuple(dict.fromkeys(notes)))
        progress.finish()
        said = (report.refused, report.withheld, report.notes)
        if report.changes or said != self._said:
            self._show(report)
        self._said = said
        return 1 if report.refused or report.withheld else 0

    def _show(self, report: Report, error: PartialWrite | None = None) -> None:
        if self.json:
            output.document(report.to_json() | ({} if error is None else {"error": str(error)}))
        else:
            where = "all projects" if self.options.everything else report.project
            pages.write_report(report, output.TextOutput(), where=where)
        sys.stdout.flush()  # the command may go on for hours
