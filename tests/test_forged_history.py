"""A file of a stranger forges no history, redirects no name and changes no other project."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from graphmem.errors import InvalidInput
from graphmem.importing.row import Row
from graphmem.memory import Memory
from graphmem.memory.access import Access
from graphmem.model import Item
from graphmem.model.exported_history import ExportedChange, ExportedRevision, Redirect
from graphmem.write.assertions.earlier_states import overlaid
from graphmem.write.assertions.provenance import EPOCH, TICK
from graphmem.write.assertions.states import content
from transferred_history import (
    BEGINNING,
    NAMES,
    Line,
    change,
    entity,
    live_through,
    revision,
    told,
    written,
)


@pytest.fixture
def lived(memory: Memory, tmp_path: Path) -> Memory:
    return live_through(memory, tmp_path, [])


RELATION = {"end": "p#b", "relation": "R", "since": "", "properties": {}}
PATHS = st.sampled_from(
    ["name", "created_at", "authors", "removed", "unlinked", "word/title/", "word/tag/x",
     "word/attribute/cost", "observation/x", "relation/R p#b", "redirect/p#b", "text", "end",
     "relation", "since", "properties", "asserted_by", "caller", "weight", "valid_until"]
)  # fmt: skip


@pytest.fixture
def stranger(memory: Memory, project: str, tmp_path: Path) -> Callable[..., Any]:
    """Imports lines as those of a project's export with history."""
    path = tmp_path / "stranger.jsonl"

    def imports(*lines: Line, of: str | None = None, **options: Any) -> Any:  # noqa: ANN401
        named = [{"project": of or project, **line} for line in lines]
        options = {"history": True, **options}
        return memory.import_("jsonl", written(path, named), **options)

    return imports


def test_a_stranger_forges_no_history_of_what_is_there(
    memory: Memory, project: str, stranger: Callable[..., Any]
) -> None:
    memory.remember([{"name": "A"}, {"name": "B"}])
    memory.edit({"name": "A", "title": "x"})
    own = memory.changes(BEGINNING).changes
    before = [memory.history(name).to_json() for name in ("A", "B")]
    stranger(
        entity("A"), entity("B"), entity("New", change=own[0].id),
        change(own[0].id), change("f" * 12),
        revision(f"{project}#a", "f" * 12), revision(f"{project}#a", "f" * 12, 7),
        revision(f"{project}#b", own[0].id), revision(f"{project}#b", "f" * 12, 3),
        revision(f"{project}#nobody", "f" * 12), revision(f"{project}#new", own[0].id),
    )  # fmt: skip
    assert [memory.history(name).to_json() for name in ("A", "B")] == before
    # What the change did that has the id here is all that it did.
    assert set(own) <= set(memory.changes(BEGINNING).changes)
    memory.undo(own[0].id)
    assert memory.get("New")[0].status == "active"
    memory.remember([{"name": "Nobody"}])
    assert len(memory.history("Nobody").revisions) == 1
    (forged, made) = memory.history("New").revisions
    assert forged.source is not None
    assert made.source is not None
    assert forged.change != own[0].id != made.change


def test_what_a_file_says_of_what_is_there_is_undone_with_the_import(
    memory: Memory, stranger: Callable[..., Any]
) -> None:
    memory.remember([{"name": "A", "title": "Mine"}, {"name": "B"}])
    before = list(memory.export())
    said = {**entity("A", updated_at="2050-01-01T00:00:00Z"), "title": "Theirs"}
    made_by = {"asserted_by": ["caller"], "change": "f" * 12}
    link = {"type": "relation", "from": "A", "relation": "R", "to": "B", "provenance": made_by}
    stranger(said, link, entity("New", change="f" * 12), change("f" * 12))
    told = memory.history("A").revisions
    assert {revision.verb for revision in told if revision.source} == set()
    changes_now = memory.changes(BEGINNING).changes
    with_history = next(one for one in changes_now if one.verb == "import")
    report = memory.undo(with_history.id)
    assert "`purge` deletes them" in report.notes[0]
    assert [line for line in memory.export() if line.get("name") != "New"] == before
    assert memory.get("New")[0].status == "active"


@pytest.mark.parametrize("year", [2900, 8998, 9999])
def test_after_a_moment_that_a_file_forges_an_entity_can_still_be_changed(
    memory: Memory, stranger: Callable[..., Any], year: int
) -> None:
    memory.remember([{"name": "A", "title": "Mine"}, {"name": "B"}])
    at = (datetime(year, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC) - EPOCH) // TICK
    words = {"title/": {"markdown:notes": [at, "Theirs"]}}
    note = {"note/": {"markdown:notes": [at, "theirs"]}}
    made_by = {"asserted_by": ["markdown:notes"], "assertions": note}
    link = {"type": "relation", "from": "A", "relation": "R", "to": "B", "provenance": made_by}
    stranger(entity("A", assertions=words), link)
    memory.remember(
        [{"name": "A", "title": "Mine again"}],
        [{"from": "A", "relation": "R", "to": "B", "note": "mine"}],
    )
    (page,) = memory.get("A")
    assert page.entity.title == "Mine again"
    assert [neighbour.note for neighbour in page.neighbours] == ["mine"]


def test_a_stranger_redirects_no_name_that_is_taken(
    memory: Memory, stranger: Callable[..., Any]
) -> None:
    memory.remember([{"name": "A"}, {"name": "B"}, {"name": "C"}])
    memory.rename("C", "D")
    lines = [
        {"type": "redirect", "name": name, "to": to}
        for name, to in (
            ("A", "B"),
            ("D", "B"),
            ("E", "Nobody"),
            ("F", "B"),
            ("F", "A"),
            ("a", "A"),
        )
    ]
    refused = stranger(*lines).refused
    assert [item.reason for item in refused] == [
        "a leads to a here, and stays so",
        "d leads to c here, and stays so",
        "there is no entity nobody that e could lead to",
        "f leads to b here, and stays so",
    ]
    assert [item.place for item in refused] == [f"stranger.jsonl:{n}" for n in (1, 2, 3, 5)]
    memory.remember([{"name": "F", "tags": ["x"]}])
    assert memory.get("B")[0].entity.tags == ("x",)
    assert memory.undo("last").changes
    memory.undo(
        next(change.id for change in memory.changes(BEGINNING).changes if change.verb == "import")
    )
    memory.remember([{"name": "F"}])
    assert memory.get("F")[0].name == "F"


def test_lines_of_two_projects_are_not_of_one(project: str, stranger: Callable[..., Any]) -> None:
    lines = [
        entity("A"),
        {**entity("B"), "project": "other"},
        {**change("c" * 12), "project": "other"},
    ]
    report = stranger(*lines)
    assert ["other" in str(item.reason) for item in report.refused] == [True, True]
    (refused,) = stranger(revision("other#a", "c" * 12), of=project).refused
    assert "must be a key of the line's own project" in str(refused.reason)
    with pytest.raises(InvalidInput, match="cannot be combined with everything"):
        stranger(entity("A"), everything=True)


def test_history_is_imported_only_on_request(
    memory: Memory, stranger: Callable[..., Any], tmp_path: Path
) -> None:
    report = stranger(entity("A"), change("c" * 12), history=False)
    assert all("--history" in str(item.reason) for item in report.refused)
    assert len(report.refused) == 2
    path = written(tmp_path / "bare.jsonl", [change("c" * 12), {"type": "secret"}])
    reasons = [str(item.reason) for item in memory.import_("jsonl", path, history=True).refused]
    assert "project" in reasons[0]
    assert "must be one of entity, relation, redirect, change, revision" in reasons[1]


def test_damaged_lines_are_refused_and_the_others_come_in(
    lived: Memory, tmp_path: Path, project: str
) -> None:
    path = told(lived, tmp_path, history=True)
    lines = path.read_text().splitlines()
    damaged = next(n for n, line in enumerate(lines) if '"verb": "supersede"' in line)
    lines[damaged] = lines[damaged].replace('"verb"', '"vreb"')
    last = len(lines) - 1
    lines[last] = lines[last][:-20]
    path.write_text("\n".join(lines))
    copy = f"{project}-copy"
    report = lived.import_("jsonl", path, project=copy, history=True)
    assert [item.place for item in report.refused] == [
        f"{path.name}:{number + 1}" for number in (damaged, last)
    ]
    assert all(item.reason for item in report.refused)
    superseded = lived.history("Old", project=copy).revisions[0]
    assert (superseded.verb, superseded.differences[0].after) == ("unknown", "superseded")
    for name in NAMES:
        assert lived.get(name, project=copy)[0].revision == lived.get(name)[0].revision


@pytest.mark.parametrize(
    "before",
    [
        "text",
        {"name": None},
        {"created_at": 5},
        {"authors": []},
        {"removed": 1},
        {"graphmem_key": "x"},
        {"word/title/": {"caller": [1]}},
        {"word/title/": {"caller": [-1, "x"]}},
        {"word/nothing/": {"caller": [1, "x"]}},
        {"word/confidence/": {"caller": [1, 5]}},
        {"word/title/": {}},
        {"word/title/more": {"caller": [1, "x"]}},
        {"word/attribute/project": {"caller": [1, "@user"]}},
        {"word/attribute/key": {"caller": [1, "other#a"]}},
        {"word/attribute/graphmem_filters": {"caller": [1, "x"]}},
        {"name/": "x"},
        {"created_in": None},
        {"observation/x": {"text": ""}},
        {"observation/x": {"text": "x", "more": 1}},
        {"relation/R other#b": None},
        {"relation/HAS_PASSAGE p#b": None},
        {"relation/R p#b": {"end": "p#c", "relation": "R", "since": "", "properties": {}}},
        {
            "relation/R p#b": {
                "end": "p#b",
                "relation": "R",
                "since": "",
                "properties": {"weight": 5},
            }
        },
        {
            "relation/R p#b": {
                "end": "p#b",
                "relation": "R",
                "since": "",
                "properties": {"graphmem_x": 1},
            }
        },
        {"redirect/other#b": None},
        {"redirect/p#b": "other#c"},
        {"unlinked": ["R other#b"]},
    ],
)
def test_an_invalid_previous_state_is_refused(before: object) -> None:
    with pytest.raises(InvalidInput, match=r"revision\.before"):
        ExportedRevision.from_json(revision("p#a", "c", before=before), project="p")


DEEP = {"graphmem_assertions": "[" * 100_000}
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(PATHS | st.text(max_size=3), inner),
    max_leaves=8,
)


TITLES = st.text(st.characters(codec="ascii", categories=["L", "N"]), min_size=1, max_size=3)
MOMENTS = st.datetimes(datetime(1970, 1, 1), datetime(2100, 1, 1)).map(lambda at: f"{at}Z")  # noqa: DTZ001 - all are UTC


def words(values: st.SearchStrategy[object]) -> st.SearchStrategy[object]:
    """Who said what of a field, and when."""
    ticks = st.integers(0, 9)
    return st.dictionaries(
        st.sampled_from(["caller", "jsonl:x"]), st.tuples(ticks, values).map(list), min_size=1
    )


STATES = st.fixed_dictionaries(
    {},
    optional={
        "name": TITLES,
        "created_at": MOMENTS,
        "authors": st.lists(st.sampled_from(["caller", "jsonl:x"]), min_size=1, unique=True),
        "word/title/": st.none() | words(TITLES),
        "word/tag/x": st.none() | words(st.just("x")),
        "word/attribute/cost": st.none() | words(st.integers(0, 9) | TITLES),
        "observation/x": st.none() | st.fixed_dictionaries({"text": TITLES, "created_at": MOMENTS}),
        "relation/R p#b": st.none()
        | st.builds(lambda note: RELATION | {"properties": {"note": note}}, TITLES),
        "redirect/p#b": st.none() | st.just("p#a"),
        "unlinked": st.just(["R p#b"]),
    },
)


@given(before=STATES | st.dictionaries(PATHS, JSON))
@example(before={"relation/R p#b": RELATION | {"properties": DEEP}})
def test_any_json_as_previous_state_is_read_or_refused(before: Line) -> None:
    try:
        read = ExportedRevision.from_json(revision("p#a", "c", before=before), project="p")
    except InvalidInput:
        return
    again = ExportedRevision.from_json(revision("p#a", "c", before=read.before), project="p")
    assert again.before == read.before
    whole = {"name": "A", "created_at": "2026-01-01T00:00:00Z", "authors": ["caller"]}
    content(overlaid(whole, read.before))  # whatever is taken can be walked back over


def test_a_previous_state_is_kept_in_the_format_of_an_export() -> None:
    before = {
        "created_at": " 2026-01-01T05:00:00+05:00 ",
        "observation/x": {"text": "x", "created_at": "2026-01-01 00:00:00", "confidence": 1},
        "word/valid_from/": {"caller": [1, " 2026-01-01 "]},
    }
    read = ExportedRevision.from_json(revision("p#a", "c", before=before), project="p")
    moment = "2026-01-01T00:00:00Z"
    assert read.before == {
        "created_at": moment,
        "observation/x": {"text": "x", "created_at": moment, "confidence": 1.0},
        "word/valid_from/": {"caller": [1, "2026-01-01"]},
    }


def test_a_line_of_another_project_is_refused_where_only_one_may_be_written() -> None:
    row = Row("a.jsonl:1", Redirect("x", "y"), project="other")
    value = Access(project="own").checked_row(row).value
    assert isinstance(value, Item)
    assert value.outcome == "refused"


@pytest.mark.parametrize(
    "line",
    [
        {"type": "redirect", "name": "", "to": "x"},
        {"type": "redirect", "name": "x"},
        {"type": "redirect", "name": "x", "to": 5},
        {"type": "redirect", "name": "x", "to": "y", "more": 1},
    ],
)
def test_a_redirect_without_two_names_is_refused(line: Line) -> None:
    with pytest.raises(InvalidInput, match="redirect"):
        Redirect.from_json(line)


@pytest.mark.parametrize(
    "more",
    [
        {"at": "soon"},
        {"at": "2999-01-01"},
        {"verb": None},
        {"by": "a\nb"},
        {"id": 5},
        {"undoes": ""},
        {"more": 1},
    ],
)
def test_an_invalid_change_is_refused(more: Line) -> None:
    with pytest.raises(InvalidInput, match="change"):
        ExportedChange.from_json(change("c", **more))
