"""Make the pictures of the README: a search in the terminal, and the page of `graphmem view`.

    PYTHONPATH=.:tests/helpers python scripts/pictures.py

It imports the sample into a private server of its own, with the real model, and searches it. The
terminal is written as SVG; the page is photographed in Chromium, where one is installed. Nothing is
asked of a network, and the same code makes the same pictures.
"""  # noqa: INP001 - a script, not a package

from __future__ import annotations

import base64
import contextlib
import io
import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.terminal_theme import MONOKAI
from rich.text import Text

from chromium import HOW_TO_INSTALL, Chromium, Theme, program
from graphmem import cli
from graphmem.cli import answers, output, session
from graphmem.cli.demo import PROJECT
from graphmem.memory.searches.pictures import search_picture
from graphmem.view import html
from neo4j_servers import fresh_home, small

if TYPE_CHECKING:
    from graphmem.memory import Memory

PICTURES = Path(__file__).parents[1] / "docs" / "pictures"
QUERY = "expired certificate"
CHOSEN = "Bram Verhoeven"
COLUMNS = 100
HITS_IN_TERMINAL, HITS_IN_PAGE = 2, 12
WIDTH, HEIGHT, SCALE, QUALITY = 1280, 720, 1.5, 75
THEMES: tuple[Theme, ...] = ("light", "dark")
# Rich's frame loads a font from a network; without that the reader's own is used.
FONT_FACES = re.compile(r"@font-face \{.*?\}\s*", re.DOTALL)


def main() -> int:
    """Make all of them, or say what is missing."""
    PICTURES.mkdir(exist_ok=True)
    with fresh_home() as home:
        settings = small(home)
        os.environ |= {
            "GRAPHMEM_HOME": str(home),
            "GRAPHMEM_NEO4J_HEAP": settings.neo4j_heap,
            "GRAPHMEM_NEO4J_PAGE_CACHE": settings.neo4j_page_cache,
        }
        with contextlib.redirect_stdout(io.StringIO()):
            if cli.main(["demo"]) != 0:
                return 1
        with session.open_memory(PROJECT, model_soon=True) as (memory, _):
            terminal(memory)
            answer = memory.search(QUERY, limit=HITS_IN_PAGE, detail="full", explain=True)
            page = html(search_picture(memory.graph, answer))
    if program() is None:
        sys.stderr.write(f"The page was not photographed. {HOW_TO_INSTALL}.\n")
        return 1
    with Chromium() as browser:
        for theme in THEMES:
            photograph(browser, page, theme)
    for path in sorted(PICTURES.iterdir()):
        sys.stdout.write(f"{path.name}: {path.stat().st_size:,} bytes\n")
    return 0


def terminal(memory: Memory) -> None:
    """Write what a terminal shows of a search that explains itself."""
    console = Console(
        record=True, width=COLUMNS, file=io.StringIO(), force_terminal=True, highlight=False,
        markup=False, emoji=False, color_system="truecolor", legacy_windows=False,
    )  # fmt: skip
    paper = output.TextOutput(console)
    command = f'graphmem search "{QUERY}" --limit {HITS_IN_TERMINAL} --explain'
    paper.write(Text.assemble(("$ ", "green"), (command, "bold")))
    found = memory.search(QUERY, limit=HITS_IN_TERMINAL, explain=True)
    answers.write(found, paper, explain=True)
    svg = console.export_svg(title="graphmem", theme=MONOKAI, unique_id="graphmem")
    (PICTURES / "search.svg").write_text(f"{FONT_FACES.sub('', svg).strip()}\n", encoding="utf-8")


def photograph(browser: Chromium, page: str, theme: Theme) -> None:
    """Take a picture of the page with one entity chosen."""
    path = PICTURES / f"view-{theme}.html"
    path.write_text(page, encoding="utf-8")
    try:
        with browser.page() as tab:
            tab.resize(WIDTH, HEIGHT, scale=SCALE)
            tab.set_theme(theme, reduced_motion=True)
            tab.go(path.as_uri())
            tab.evaluate(
                f"[...document.querySelectorAll('#list button')]"
                f".find((one) => one.innerText.includes('{CHOSEN}')).click()"
            )
            # Two frames: the choice is drawn in the first.
            tab.evaluate(
                "new Promise((kept) => requestAnimationFrame(() => requestAnimationFrame(kept)))"
            )
            shot = tab.call("Page.captureScreenshot", format="webp", quality=QUALITY)
            (PICTURES / f"view-{theme}.webp").write_bytes(base64.b64decode(shot["data"]))
    finally:
        path.unlink()


if __name__ == "__main__":
    sys.exit(main())
