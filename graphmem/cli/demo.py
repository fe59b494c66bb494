"""`graphmem demo`: the sample project, imported and searched."""

import json
import shlex
import shutil
import sys
from dataclasses import replace
from importlib.resources import as_file, files
from importlib.resources.abc import Traversable
from pathlib import Path

from rich.text import Text

from graphmem.cli import answers, output, pages, session

PROJECT = "graphmem-demo"
LIMIT = 5
SEARCHES = (
    ("who knows about Pagoluz", "The people are found through links, and each link is shown."),
    (
        "expired certificate",
        "The words find the incident; its links find the people who handled it.",
    ),
    ("ночные СМС: кто отвечает", "Some notes are in Russian; links cross languages."),
)
NEXT_STEPS = (
    (
        f'search "who knows about Pagoluz" --project {PROJECT} --explain',
        "see how each score was computed",
    ),
    (f'view "expired certificate" --project {PROJECT} --open', "see a search as a picture"),
    (f'show "Session store" --project {PROJECT}', "show one entity in full"),
    (
        f'explore "Bram Verhoeven" "Availability index" --project {PROJECT}',
        "see how two entities are connected",
    ),
    (f"stats --project {PROJECT}", "count what is stored"),
    ('remember "My first note" --text "…"', "write to the project of this folder"),
    ("import markdown NOTES_FOLDER", "import your own notes"),
    ("db status", "see the private Neo4j, which stops by itself"),
)


def demo() -> int:
    """Import sample data and search it, to see what graphmem does."""
    out = output.TextOutput()
    out.write(
        "Moorline is an invented company that books berths in marinas. Its notes (decisions, "
        "incidents, services, people; Markdown files with links between them) are imported into "
        f"the project {PROJECT}, which searches of other projects do not see."
    )
    out.write()
    with session.open_memory(PROJECT, model_soon=True) as (memory, progress):
        with as_file(_sample()) as folder:
            report = memory.import_("markdown", folder, progress=progress)
        progress.finish()
        pages.write_report(report, out)
        reason = None
        for query, remark in SEARCHES:
            _head(query, remark, out)
            answer = memory.search(query, scope="project", limit=LIMIT, explain=True)
            if answer.degraded == reason:  # the search before has said so
                answer = replace(answer, degraded=None)
            else:
                reason = answer.degraded
            answers.write(answer, out)
    _write_next_steps(out)
    return 0


def _sample() -> Traversable:
    """The sample: in the wheel beside the package's modules, in a checkout under `examples/`."""
    bundle = files("graphmem") / "sample"
    checkout = Path(__file__).resolve().parents[2] / "examples" / "sample"
    return bundle if bundle.is_dir() else checkout


def _program() -> str:
    """What runs this program: its name if shells find it, else where it is, as in a checkout."""
    name, place = "graphmem", Path(sys.argv[0])
    return str(place.absolute()) if place.name == name and not shutil.which(name) else name


def _head(query: str, remark: str, out: output.TextOutput) -> None:
    out.write()
    out.write(Text(f'$ graphmem search "{query}" --project {PROJECT} --limit {LIMIT}', "bold cyan"))
    out.write(Text(remark, "italic"))


def _write_next_steps(out: output.TextOutput) -> None:
    program = _program()
    out.write()
    out.write(Text("Try next", "bold"))
    for command, remark in NEXT_STEPS:
        out.write(Text(f"# {remark}", "dim"), indent=2)
        out.write(Text(f"{shlex.quote(program)} {command}", "cyan"), indent=2)
    out.write()
    out.write(
        "Agents use the same store over MCP. In Claude Code, "
        f"`claude mcp add graphmem -- {shlex.quote(program)} serve` connects them; most other "
        "clients read this from their configuration. Without --project, the server uses the "
        "project of the folder that the client starts it in:"
    )
    server = {"command": program, "args": ["serve", "--project", PROJECT]}
    for line in json.dumps({"mcpServers": {"graphmem": server}}, indent=2).splitlines():
        out.write(line, indent=2)
