"""Make the pictures of docs/browser.md: two saved queries in Neo4j Browser.

    PYTHONPATH=.:tests/helpers python scripts/browser_pictures.py

It imports the sample into a private server of its own, without a model, logs in to Browser in
Chromium, where one is installed, and photographs what the queries draw. Browser places the circles
by itself, so two runs differ in where they are.
"""  # noqa: INP001 - a script, not a package

from __future__ import annotations

import base64
import re
import sys
from pathlib import Path

from chromium import HOW_TO_INSTALL, Chromium, program
from fakes import FakeEmbedder
from graphmem.cli.demo import PROJECT
from graphmem.memory import Memory
from neo4j_browser import STILL, logged_in
from neo4j_servers import fresh_home, small

ROOT = Path(__file__).parents[1]
PICTURES = ROOT / "docs" / "pictures"
PAGE = (ROOT / "docs" / "browser.md").read_text(encoding="utf-8")
QUERIES = re.findall(r"^([A-Z][^\n]*)\n\n```cypher\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
# The beginnings of the queries' descriptions, by the names of the pictures.
DRAWN = {"browser-entity": "Everything about one entity", "browser-project": "One project"}
WIDTH, HEIGHT, SCALE, QUALITY = 1280, 620, 1.5, 70


def main() -> int:
    """Make both, or say what is missing."""
    if program() is None:
        sys.stderr.write(f"{HOW_TO_INSTALL}.\n")
        return 1
    with fresh_home() as home:
        settings = small(home)
        with Memory.open(project=PROJECT, config=settings, embedder=FakeEmbedder()) as memory:
            memory.import_("markdown", ROOT / "examples" / "sample")
        for name, beginning in DRAWN.items():
            (query,) = [query for title, query in QUERIES if title.startswith(beginning)]
            with Chromium() as chromium, logged_in(chromium, settings) as browser:
                browser.page.resize(WIDTH, HEIGHT, scale=SCALE)
                browser.run(query)
                browser.page.evaluate(STILL)
                shot = browser.page.call("Page.captureScreenshot", format="webp", quality=QUALITY)
                path = PICTURES / f"{name}.webp"
                path.write_bytes(base64.b64decode(shot["data"]))
                sys.stdout.write(f"{path.name}: {path.stat().st_size:,} bytes\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
