"""`graphmem import` and `graphmem export` as they are typed."""

import json
from pathlib import Path

import pytest

from fakes import FakeEmbedder
from graphmem import cli
from graphmem.cli import exporting, session
from graphmem.memory import Memory


@pytest.fixture(autouse=True)
def model(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "embedder", lambda *_, **__: FakeEmbedder())


@pytest.fixture
def patterns(tmp_path: Path) -> Path:
    """A repository with thirty of Forge's learned patterns."""
    folder = tmp_path / ".forge" / "memory"
    folder.mkdir(parents=True)
    lines = [json.dumps({"pattern": f"Pattern {n}", "category": "test"}) for n in range(30)]
    (folder / "project.jsonl").write_text("\n".join(lines))
    return tmp_path


def run(*words: str) -> int:
    return cli.main([*words])


def test_a_much_smaller_source_is_asked_about(
    memory: Memory, patterns: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ("import", "forge", str(patterns), "--project", str(memory.project))
    assert run(*command) == 0
    (patterns / ".forge" / "memory" / "project.jsonl").write_text("")
    capsys.readouterr()
    assert run(*command) == 1
    assert "--allow-removals" in capsys.readouterr().out
    assert memory.stats().statuses == {"active": 30}
    assert run(*command, "--allow-removals") == 0
    assert memory.stats().statuses == {"removed": 30}


def test_all_projects_are_exported_and_come_back(
    memory: Memory, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    memory.remember([{"name": "A", "text": "One."}, {"name": "B"}])
    memory.link("A", "USES", "B")
    everything = tmp_path / "all.jsonl"
    assert run("export", "--all", "--no-history", "--output", str(everything), "--json") == 0
    assert json.loads(capsys.readouterr().out)["project"] == "all projects"
    lines = [json.loads(line) for line in everything.read_text().splitlines()]
    own = [line for line in lines if line["project"] == memory.project]
    assert [line["type"] for line in own] == ["entity", "entity", "relation"]
    everything.write_text("\n".join(json.dumps(line) for line in own))
    assert run("import", "jsonl", str(everything)) == 1
    assert run("import", "jsonl", str(everything), "--all", "--json") == 0
    report = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert report["entities"]["unchanged"] == 2
    assert run("import", "jsonl", str(everything), "--all") == 0
    output = capsys.readouterr().out
    assert output.startswith("all projects  entities: 2 unchanged; relations: 1 unchanged\n")


@pytest.mark.parametrize("option", ["--all", "--history"])
def test_options_for_exports_are_refused_for_other_formats(
    option: str, patterns: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("import", "forge", str(patterns), option) == 2
    assert f"{option} is for the format jsonl alone, got 'forge'" in capsys.readouterr().err


def test_all_and_one_project_are_not_asked_for_together(
    memory: Memory, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("export", "--all", "--project", str(memory.project)) == 2
    assert "--all" in capsys.readouterr().err


def test_an_export_of_one_entity_is_one_line(
    memory: Memory, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    memory.remember([{"name": "A"}])
    file = tmp_path / "project.jsonl"
    assert run("export", "--project", str(memory.project), "--output", str(file)) == 0
    assert f"1 line of {memory.project} written to" in capsys.readouterr().err


def test_a_long_export_shows_its_progress(
    memory: Memory,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    memory.remember([{"name": name} for name in "ABC"])
    monkeypatch.setattr(exporting, "SHOWN_LINES", 2)
    command = ("export", "--project", str(memory.project))
    assert run(*command, "--output", str(tmp_path / "project.jsonl")) == 0
    assert "Exporting …" in capsys.readouterr().err
    assert run(*command) == 0
    captured = capsys.readouterr()
    assert len(captured.out.splitlines()) == 3
    assert "Exporting …" in captured.err
