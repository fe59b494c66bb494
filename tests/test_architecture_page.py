"""docs/architecture.md and CONTRIBUTING.md show the code as it is."""

import re
from pathlib import Path

import pytest

from doc_pages import page
from test_architecture import FLOORS, ROOT

ARCHITECTURE = page("architecture")
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")])
COLUMNS = 130
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


def prose(page: Path) -> list[str]:
    """The lines of a page outside of code and tables."""
    text = re.sub(
        r"^ *```.*?^ *```", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL
    )
    return [line for line in text.splitlines() if not line.startswith(("|", "<", "!", "    <"))]


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as GitHub makes them."""
    titles = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_lines_of_a_page_are_wrapped(page: Path) -> None:
    assert [line for line in prose(page) if len(line) > COLUMNS] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_between_pages_leads_to_a_section(page: Path) -> None:
    links = re.findall(r"\]\(([\w./-]*\.md)?#([\w-]+)\)", page.read_text(encoding="utf-8"))
    for file, anchor in links:
        target = page.parent / file if file else page
        assert anchor in anchors(target), f"{file}#{anchor}"


def test_every_page_of_the_docs_is_named_in_the_readme() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    pages = [path.relative_to(ROOT).as_posix() for path in Path(ROOT, "docs").glob("*.md")]
    assert [page for page in pages if page not in readme] == []


@pytest.mark.parametrize("target", ["demo", "test"])
def test_the_readme_has_the_commands_that_do_everything(target: str) -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert re.search(rf"^make {target} ", readme, re.MULTILINE)


@pytest.mark.parametrize("target", ["check", "test", "faults", "bench", "demo"])
def test_the_targets_that_are_named_are_in_the_makefile(target: str) -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert f"`make {target}`" in CONTRIBUTING
    assert f"\n{target}:" in makefile
