"""The page that shows how to add a format: its code imports its example."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from doc_pages import blocks, page
from graphmem import adapters, transfer
from graphmem.memory import Memory

PAGE = page("adding-a-format")
ROOT = Path(__file__).parents[1]


@pytest.fixture
def glossaries(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with the page's example; its format is written, and named, as the page says."""
    importer, registration = blocks(PAGE, "python")
    (example,) = blocks(PAGE, "csv")
    package = tmp_path / "adapters" / "glossary"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text('"""Glossaries."""\n')
    (package / "importer.py").write_text(importer)
    monkeypatch.setattr(adapters, "__path__", [*adapters.__path__, str(package.parent)])
    monkeypatch.setattr(transfer, "FORMATS", dict(transfer.FORMATS))
    exec(registration, vars(transfer))  # noqa: S102 - our own page is what is tested
    folder = tmp_path / "glossaries"
    folder.mkdir()
    (folder / "sewing.csv").write_text(example)
    yield folder
    del vars(transfer)["glossary"]
    for name in ("graphmem.adapters.glossary.importer", "graphmem.adapters.glossary"):
        del sys.modules[name]
    del vars(adapters)["glossary"]


def test_the_page_fits_on_a_page() -> None:
    assert len(PAGE.splitlines()) <= 120


def test_the_code_of_the_page_passes_ruff() -> None:
    importer, _ = blocks(PAGE, "python")
    place = "graphmem/adapters/glossary/importer.py"
    # INP001: its package is not written for this.
    options = ["--no-cache", "--extend-ignore", "INP001", "--stdin-filename", place, "-"]
    command = [sys.executable, "-m", "ruff", "check", *options]
    checked = subprocess.run(
        command, input=importer, cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert checked.returncode == 0, checked.stdout


def test_the_format_of_the_page_imports_its_example(memory: Memory, glossaries: Path) -> None:
    report = memory.import_("glossary", glossaries)
    assert not report.refused
    (seam,) = memory.get("seam")
    assert (seam.entity.kind, seam.entity.source) == ("Term", "sewing.csv")
    assert seam.entity.text == "The line along which two pieces of cloth are joined."
    assert {(neighbour.relation, neighbour.name) for neighbour in seam.neighbours} == {
        ("SEE_ALSO", "hem"),
        ("SEE_ALSO", "stitch"),
    }
    again = memory.import_("glossary", glossaries)
    assert {item.outcome for item in again.items} == {"unchanged"}


def test_what_the_format_cannot_use_is_refused_with_its_line(
    memory: Memory, glossaries: Path
) -> None:
    (glossaries / "more.csv").write_text("term,definition\n,nothing\nhem,again\nhem,and again\n")
    (glossaries / "other.csv").write_bytes(b"\xff\xfeterm")
    report = memory.import_("glossary", glossaries, dry_run=True)
    reasons = {item.place: item.reason for item in report.refused}
    assert "name" in (reasons.pop("more.csv:2") or "")
    assert reasons.pop("more.csv:4") == "the term is defined twice"
    assert "UTF-16" in (reasons.pop("other.csv") or "")


def test_what_is_gone_from_a_glossary_is_removed(memory: Memory, glossaries: Path) -> None:
    memory.import_("glossary", glossaries)
    (glossaries / "sewing.csv").write_text("term,definition\nhem,A folded edge.\n")
    memory.import_("glossary", glossaries)
    (seam,) = memory.get("seam")
    assert seam.entity.status == "removed"
