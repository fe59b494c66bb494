"""An overview names what changed last, the hubs, and what nobody described; an agent's is short."""

import json
from dataclasses import fields, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from graphmem import cli
from graphmem.cli import pages
from graphmem.cli.output import TextOutput
from graphmem.graph import Graph
from graphmem.memory import Memory
from graphmem.model.overview import Changed, Linked, Overview
from graphmem.model.projects import ProjectSummary
from graphmem.model.stats import Stats
from graphmem.server.brief_overviews import EXAMPLE, NOTHING_STORED, brief_overview, project_list
from graphmem.server.tools import Tools

MOMENT = datetime(2026, 3, 1, 12, 30, tzinfo=UTC)


@pytest.fixture
def harbour(memory: Memory) -> Memory:
    """Quay has three relations; Boat is a stub, Crane has a note, Wreck is forgotten."""
    memory.remember([{"name": "Quay", "text": "Boats lie here."}, {"name": "Wreck"}])
    memory.remember(
        [{"name": "Crane", "observations": ["It squeaks."]}],
        [
            {"from": "Quay", "relation": "HOLDS", "to": "Boat"},
            {"from": "Quay", "relation": "HOLDS", "to": "Wreck"},
            {"from": "Crane", "relation": "STANDS_ON", "to": "Quay"},
        ],
        stubs=True,
    )
    memory.remember([{"name": "Rope", "title": "A rope of hemp"}, {"name": "Alone"}])
    memory.forget("Wreck")
    return memory


def test_of_many_projects_those_that_changed_last_are_listed() -> None:
    many = [
        ProjectSummary(f"github.com/owner/{i}", 1, 2, 3, MOMENT + timedelta(days=i))
        for i in range(100)
    ]
    layer = ProjectSummary("@user", 1, 2, 3, MOMENT)
    seen = project_list([layer, *many])
    shown = len(seen.projects)
    assert seen.projects == tuple(reversed(many))[:shown]
    assert seen.omitted == 100 - shown
    assert shown > 10
    assert len(json.dumps(seen.to_json())) < 4_000 * 1.1
    assert project_list([*many[:2], layer]).omitted is None
    assert project_list([layer]).notes == (NOTHING_STORED.format(example=EXAMPLE),)
    (limited,) = project_list([], {"b", "a"}).notes
    assert "name a project, such as a or b, as `project`" in limited


def test_it_has_the_counts_of_the_statistics(harbour: Memory) -> None:
    overview, stats = harbour.overview(), harbour.stats()

    assert all(
        getattr(overview, field.name) == getattr(stats, field.name) for field in fields(Stats)
    )
    assert stats.entities == 6


def test_it_names_what_changed_last_and_nothing_forgotten(harbour: Memory) -> None:
    harbour.remember([{"name": "Quay", "title": "The old quay"}])
    recent = harbour.overview().recent

    assert [hit.name for hit in recent] == ["Quay", "Alone", "Rope", "Boat", "Crane"]
    assert recent[0].updated_at == harbour.get("Quay")[0].entity.updated_at


def test_what_is_only_imported_stands_behind_what_callers_wrote(
    memory: Memory, tmp_path: Path
) -> None:
    memory.remember([{"name": "Be quick", "kind": "Decision"}, {"name": "Rope"}])
    for name in ("Quay", "Rope", "Tides"):
        (tmp_path / f"{name}.md").write_text(f"About {name}.")
    memory.import_("markdown", tmp_path)

    assert [changed.name for changed in memory.overview().recent] == [
        "Rope", "Be quick", "Quay", "Tides",
    ]  # fmt: skip


def test_it_names_the_entities_with_most_relations_first(harbour: Memory) -> None:
    assert harbour.overview().hubs == (
        Linked("Quay", "Thing", 3),
        Linked("Boat", "Thing", 1),
        Linked("Crane", "Thing", 1),
    )


def test_code_stands_behind_the_entities_with_most_relations(
    memory: Memory, tmp_path: Path
) -> None:
    for name in ("tides", "ropes"):
        (tmp_path / f"{name}.py").write_text("def main():\n    turn()\n\n\ndef turn():\n    pass\n")
    memory.import_("code", tmp_path)
    memory.remember(
        [
            {"name": "Be quick", "kind": "Decision"},
            {"name": "tides.py::turn", "text": "It is slow."},
        ],
        [{"from": "Be quick", "relation": "ABOUT", "to": "ropes.py"}],
    )

    hubs = [hub.name for hub in memory.overview().hubs]
    assert hubs[:2] == ["tides.py::turn", "Be quick"]
    assert set(hubs[2:]) == {
        "ropes.py", "ropes.py::main", "ropes.py::turn", "tides.py", "tides.py::main",
    }  # fmt: skip


def test_code_of_an_export_stands_behind_them_too(memory: Memory, tmp_path: Path) -> None:
    path = tmp_path / "code.jsonl"
    code = [
        {"type": "entity", "name": f"{name}.py", "attributes": {"start_line": 1, "end_line": 5}}
        for name in ("quays", "ropes", "tides")
    ]
    links = [
        {"type": "relation", "from": f"{start}.py", "relation": "IMPORTS", "to": f"{end}.py"}
        for start, end in (("quays", "ropes"), ("quays", "tides"), ("ropes", "tides"))
    ]
    path.write_text("\n".join(map(json.dumps, [*code, *links])))
    memory.import_("jsonl", path)
    memory.remember(
        [{"name": "Be quick"}], [{"from": "Be quick", "relation": "ABOUT", "to": "tides.py"}]
    )
    assert memory.overview().hubs[0].name == "Be quick"


def test_a_stub_is_what_relations_lead_to_and_nobody_described(harbour: Memory) -> None:
    overview = harbour.overview()
    assert (overview.undescribed, overview.stubs) == (1, (Linked("Boat", "Thing", 1),))

    harbour.remember([{"name": "Boat", "observations": ["It leaks."]}])
    assert (harbour.overview().undescribed, harbour.overview().stubs) == (0, ())


def test_lists_end_after_ten_and_ties_are_ordered_by_key(memory: Memory) -> None:
    names = [f"{number:02}" for number in range(12)]
    relations = [{"from": "Hub", "relation": "HAS", "to": name} for name in names]
    memory.remember([{"name": "Hub"}], relations, stubs=True)
    overview = memory.overview()

    assert [stub.name for stub in overview.stubs] == names[:10]
    assert [hub.name for hub in overview.hubs] == ["Hub", *names[:9]]
    assert (len(overview.recent), overview.undescribed) == (10, 12)


def test_an_empty_project_has_an_overview(memory: Memory) -> None:
    overview = memory.overview()
    assert (overview.entities, overview.undescribed) == (0, 0)
    (note,) = overview.notes
    assert note.startswith(f"the project `{memory.project}` has no entities")
    counts = memory.stats().to_json()
    assert overview.to_json() == counts | {"undescribed": 0, "notes": [note]}


def test_an_overview_is_two_statements(harbour: Memory, graph: Graph) -> None:
    before = graph.statements
    harbour.overview()
    assert graph.statements == before + 2


# What an agent reads


def overview_of(name: str, names: int) -> Overview:
    counts = {f"{name}{number}": number + 1 for number in range(names)}
    return Overview(
        "p", 1, 2, 3, 4, counts, counts, counts, counts, undescribed=names,
        recent=tuple(Changed(f"{name}{i}", name, MOMENT) for i in range(10)),
        hubs=tuple(Linked(f"{name}{i}", name, i) for i in range(10)),
        stubs=tuple(Linked(f"{name}{i}", name, i) for i in range(10)),
    )  # fmt: skip


@pytest.mark.parametrize("characters", [1, 20, 60, 200])
def test_an_agents_overview_takes_less_than_1_000_tokens(characters: int) -> None:
    shown = brief_overview(overview_of("x" * characters, 200))

    written = json.dumps(shown.to_json(), ensure_ascii=False, separators=(",", ":"))
    assert len(written) / 4 < 1000
    assert (shown.entities, shown.pending, shown.undescribed) == (1, 4, 200)


def test_an_overview_that_is_short_is_left_as_it_is() -> None:
    overview = overview_of("x", 30)
    assert brief_overview(overview) == overview


def test_the_names_that_stay_are_the_first() -> None:
    shown = brief_overview(overview_of("x" * 60, 200))
    assert shown.recent
    assert shown.recent == overview_of("x" * 60, 200).recent[: len(shown.recent)]
    assert next(iter(shown.kinds)) == "x" * 60 + "0"


def test_the_tool_gives_the_fields_of_the_statistics_and_the_lists(harbour: Memory) -> None:
    seen = Tools(lambda: harbour).overview().to_json()

    assert seen.keys() >= harbour.stats().to_json().keys()
    assert [hub["name"] for hub in seen["hubs"]] == ["Quay", "Boat", "Crane"]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("imported", "head"),
    [
        (MOMENT - timedelta(days=1), "Latest changes (UTC)"),
        (MOMENT + timedelta(days=1), "Latest changes (UTC); imported entities last"),
    ],
)
def test_the_terminal_says_why_what_changed_last_is_not_first(
    imported: datetime, head: str, capsys: pytest.CaptureFixture[str]
) -> None:
    recent = (Changed("Quay", "Thing", MOMENT), Changed("Rope", "Thing", imported))
    pages.write_overview(replace(overview_of("x", 1), recent=recent), TextOutput())
    assert head in capsys.readouterr().out.splitlines()


def test_the_terminal_shows_the_lists_that_are_not_empty(
    harbour: Memory, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GRAPHMEM_PROJECT", str(harbour.project))
    assert cli.main(["overview"]) == 0
    lines = capsys.readouterr().out.splitlines()

    assert lines[0] == harbour.project
    assert [line for line in lines if line.endswith("Rope  Thing")] != []
    assert "         3  Quay  Thing" in lines
    assert lines[-2:] == ["Not described yet (1)", "         1  Boat  Thing"]

    assert cli.main(["overview", "--json", "--project", f"{harbour.project}/none"]) == 0
    empty: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert "recent" not in empty
    assert empty["entities"] == 0
