"""Properties in the text of notes, and graphs of Logseq."""

from datetime import date
from pathlib import Path

import pytest

from graphmem.memory import Memory
from graphmem.model import Entity
from graphmem.transfer.markdown.logseq import Graph
from note_folders import ends, entities, read, refusals, write

PAGE = """title:: Tide feed
alias:: feed, [[the, feed]]
tags:: #harbour, [[tide data]]
type:: [[Feature]]
status:: removed
description:: What it gives.

- A block.
  id:: 634fae2e
- owner:: ops
"""


def note(tmp_path: Path, content: str) -> Entity:
    rows = read(tmp_path, {"note.md": content})
    assert not refusals(rows)
    return entities(rows)["note.md"]


def test_logseq_properties_of_a_page_are_fields_and_stay_in_the_text(tmp_path: Path) -> None:
    entity = note(tmp_path, PAGE)
    assert (entity.title, entity.kind, entity.text) == ("Tide feed", "Feature", PAGE.strip())
    assert (entity.aliases, entity.tags) == (("feed", "the, feed"), ("harbour", "tide data"))
    assert entity.attributes == {"status_": "removed", "description": "What it gives."}
    assert (entity.status, entity.observations) == (None, ())


def test_inline_fields_of_dataview_are_attributes(tmp_path: Path) -> None:
    content = (
        "# Berth\n\nRating:: 4\nShare:: -0.5\nDue date:: 2026-03-01\nopen:: true\n"
        "day:: 2026-02-30\nnumber:: 007\nsee:: [[Tides]]\nwho:: Ana\nwho:: Ben\ntitle:: No\n\n"
        "```\ncode:: 1\n```\n~~~\ncode:: 2\n```\ncode:: 3\n~~~\nafter:: 1\n"
        "Ana said: [in:: 1], x:: y\n- item:: 2\n    code:: 4\n.. note:: x\n"
        "main :: IO ()\nstd::move\n# Head:: 1\n5:: 6\nempty::\nlong:: " + "x" * 501
    )
    assert note(tmp_path, content).attributes == {
        "Rating": 4, "Share": -0.5, "Due date": date(2026, 3, 1), "open": True,
        "day": "2026-02-30", "number": "007", "see": "[[Tides]]", "who": ["Ana", "Ben"],
        "title_": "No", "after": 1,
    }  # fmt: skip
    assert ends(read(tmp_path), "note.md") == ["Tides"]


def test_front_matter_counts_more_than_properties(tmp_path: Path) -> None:
    content = "---\ntitle: One\nrating: 1\n---\ntitle:: Two\nrating:: 2\nrating:: 3\nx:: 4\n"
    entity = note(tmp_path, content)
    assert (entity.title, entity.attributes) == ("One", {"rating": 1, "x": 4})


def test_front_matter_counts_more_than_properties_that_become_an_attribute_of_its_name(
    tmp_path: Path,
) -> None:
    entity = note(tmp_path, "---\nproject_: harbour\n---\nproject:: tides\n")
    assert entity.attributes == {"project_": "harbour"}


@pytest.mark.parametrize(
    "content",
    [
        "title:: " + "x" * 400 + "\n",
        "type:: a, b\nconfidence:: high\nrelations:: none\nname:: other\nproject:: x\n",
        "".join(f"key {number}:: value\n" for number in range(5000)),
        "key:: " + "x" * 400 + "\nkey:: y" * 5000,
        "tags:: " + ",".join("x" * 300 for _ in range(2)),
        "---\n" + "".join(f"k{number}: 1\n" for number in range(199)) + "---\na:: 1\nb:: 2\n",
    ],
)
def test_no_property_refuses_a_note(tmp_path: Path, content: str) -> None:
    assert note(tmp_path, content).name == "note"


def test_pages_of_a_logseq_graph_are_called_as_in_logseq(tmp_path: Path) -> None:
    notes = {
        "logseq/config.edn": "{}", "logseq/bak/pages/Tides/2026.md": "", "pages/a___b.md": "",
        "pages/what%3F.md": "", "pages/c.md": "[[a/b]] [[what?]] [[Home]]",
        "pages/d___e.md": "---\nname: Home\n---\n",
    }  # fmt: skip
    names = {place: entity.name for place, entity in entities(read(tmp_path, notes)).items()}
    expected = {"a___b.md": "a/b", "what%3F.md": "what?", "c.md": "c", "d___e.md": "Home"}
    assert names == {f"pages/{place}": name for place, name in expected.items()}
    assert ends(read(tmp_path), "pages/c.md") == ["a/b", "what?", "Home"]
    names = {place: entity.name for place, entity in entities(read(tmp_path / "pages")).items()}
    assert names == expected
    others = entities(read(tmp_path / "others", {"a___b.md": "", "what%3F.md": ""}))
    assert {entity.name for entity in others.values()} == {"a___b", "what%3F"}


def test_a_folder_that_cannot_be_looked_at_is_not_taken_for_no_logseq_graph(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="File name too long"):
        Graph.around(tmp_path / ("x" * 300))


def test_a_reference_to_a_block_of_logseq_leads_to_its_page(tmp_path: Path) -> None:
    block, other = (f"60ab7357-2744-42bc-a8fd-{number:012x}" for number in (1, 2))
    notes = {
        "tides.md": f"- The tide turns.\n\t id:: {block}\n",
        "locks.md": f"- id:: {other}\n  A lock.\n",
        "a.md": f"- As (({block})) says, and {{{{embed (({other}))}}}}.",
        "b.md": f"- [Shown]((({other}))) `(({block}))` (({block[:-1]}))",
    }

    rows = read(tmp_path, notes)

    assert (ends(rows, "a.md"), ends(rows, "b.md")) == (["tides", "locks"], ["locks"])


@pytest.mark.parametrize(
    ("edn", "titles"),
    [
        ("", ["Mar 1st, 2026", "Nov 12th, 2026", "Dec 22nd, 2026"]),
        (
            ':a 1\n ;; :journal/page-title-format "M"\n :journal/page-title-format "E, d.M.yyyy"',
            ["Sun, 1.3.2026", "Thu, 12.11.2026", "Tue, 22.12.2026"],
        ),
    ],
)
def test_journals_of_a_logseq_graph_are_found_by_their_day(
    tmp_path: Path, edn: str, titles: list[str]
) -> None:
    days = ("2026_03_01", "2026-11-12", "2026_12_22", "2026_13_01", "Tides")
    notes = {f"journals/{day}.md": "" for day in days} | {"logseq/config.edn": edn}
    aliases = [entity.aliases for entity in entities(read(tmp_path, notes)).values()]
    assert sorted(aliases) == sorted([(), (), *((title,) for title in titles)])


def test_a_logseq_graph_changes_nothing_when_it_is_imported_again(
    memory: Memory, tmp_path: Path
) -> None:
    links = "part-of:: [[a/b]]\n\n- See [[feed]], [[Mar 1st, 2026]]."
    write(tmp_path, {"logseq/config.edn": "", "pages/a___b.md": PAGE, "pages/c.md": links,
                     "journals/2026_03_01.md": ""})  # fmt: skip
    memory.import_("markdown", tmp_path)
    (page,) = memory.get("c")
    assert {(link.relation, link.name) for link in page.neighbours} == {
        ("MENTIONS", "a/b"), ("MENTIONS", "2026_03_01"),
    }  # fmt: skip
    before = list(memory.export(history=True))
    report = memory.import_("markdown", tmp_path)
    assert {item.outcome for item in report.items} == {"unchanged"}
    assert list(memory.export(history=True)) == before
