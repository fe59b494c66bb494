"""docs/architecture.md and CONTRIBUTING.md show the code as it is."""

import re
from pathlib import Path

import pytest

from test_architecture import FLOORS, ROOT

ARCHITECTURE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
PATHS = re.compile(r"`((?:graphmem|cypher|tests|docs|benchmarks|docker|examples)/[\w./*-]*)`")
ADAPTERS = re.compile(r"adapters\.\w+\.(\w+)")


def drawn() -> dict[str, int]:
    """The floor of each unit in the picture."""
    rows = re.findall(r"^ (\d) \w+ +(.+)$", ARCHITECTURE, re.MULTILINE)
    return {unit: int(floor) for floor, units in rows for unit in units.split()}


def test_the_picture_shows_every_floor_and_what_stands_on_it() -> None:
    assert drawn() == {ADAPTERS.sub(r"adapters.*.\1", unit): n for unit, n in FLOORS.items()}


@pytest.mark.parametrize("page", [ARCHITECTURE, CONTRIBUTING], ids=["architecture", "contributing"])
def test_every_path_that_is_named_exists(page: str) -> None:
    paths = PATHS.findall(page)
    assert len(paths) > 15
    assert [path for path in paths if not any(ROOT.glob(path.rstrip("/")))] == []


def test_contributing_fits_on_two_pages() -> None:
    assert CONTRIBUTING.count("\n") <= 110


def test_every_page_of_the_docs_is_named_in_the_readme() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    pages = [path.relative_to(ROOT).as_posix() for path in Path(ROOT, "docs").glob("*.md")]
    assert [page for page in pages if page not in readme] == []


@pytest.mark.parametrize("target", ["check", "test", "faults", "bench", "demo"])
def test_the_targets_that_are_named_are_in_the_makefile(target: str) -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert f"`make {target}`" in CONTRIBUTING
    assert f"\n{target}:" in makefile
