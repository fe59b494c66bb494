"""The commands on a real database, run in this process with a model that needs no torch."""

import io
import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from fakes import DEFAULT_IDENTITY, FakeEmbedder
from graphmem import cli
from graphmem.cli import history as cli_history
from graphmem.cli import session
from graphmem.cli.db import _age
from graphmem.cli.doctor import Check, _other_weights, _server_choice
from graphmem.embedding import configured_embedder
from graphmem.errors import DatabaseError
from graphmem.graph import Graph
from graphmem.memory import Memory
from graphmem.memory.store.model import StoreModel
from graphmem.migrations import VERSION
from graphmem.model import Item, PartialWrite, Report
from graphmem.search import Weights
from graphmem.settings import Settings
from terminals import Keyboard, Run, runner

LINES = (
    {"type": "entity", "name": "Redis cache", "kind": "Decision", "title": "Keep sessions in Redis",
     "text": "Sign-in state lives in memory.", "tags": ["infra"], "attributes": {"owner": "ops"}},
    {"type": "entity", "name": "Zugspitze", "kind": "Service", "text": "Nothing alike here."},
    {"type": "entity", "name": "Watzmann", "kind": "Person", "observations": ["Climbs alone."]},
    {"type": "relation", "from": "Redis cache", "relation": "DEPENDS_ON", "to": "Zugspitze",
     "note": "since May"},
    {"type": "relation", "from": "Watzmann", "relation": "KNOWS_ABOUT", "to": "Redis cache"},
)  # fmt: skip


@pytest.fixture
def run(
    environment: dict[str, str],  # noqa: ARG001 - the server runs
    project: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> Run:
    """Run a command in the test's own project."""
    return runner(project, capsys, monkeypatch)


@pytest.fixture
def filled(run: Run, tmp_path: Path) -> Run:
    """The same, the project holding three entities and two relations."""
    file = tmp_path / "three.jsonl"
    file.write_text("\n".join(json.dumps(line) for line in LINES), encoding="utf-8")
    assert run("import", "jsonl", str(file)).code == 0
    return run


def test_import_says_what_was_written_and_search_finds_it(filled: Run, project: str) -> None:
    ran = filled("search", "redis", "cache", "--mode", "keyword")
    assert ran.code == 0
    assert ran.out.splitlines()[0] == f"3 hits in {project} for “redis cache”"
    assert "Redis cache  Decision  Keep sessions in Redis  #infra" in ran.out


def test_a_hit_that_only_a_link_led_to_names_the_link_its_direction_and_its_note(
    filled: Run,
) -> None:
    ran = filled("search", "redis cache", "--mode", "keyword")
    assert "⟵ DEPENDS_ON from Redis cache — since May" in ran.out
    assert "⟶ KNOWS_ABOUT to Redis cache" in ran.out


def test_search_as_json_is_one_document_of_the_fixed_format(filled: Run, project: str) -> None:
    ran = filled("search", "redis cache", "--json", "--mode", "keyword")
    answer = ran.document
    assert (answer["project"], answer["mode"], answer["count"]) == (project, "keyword", 3)
    assert [hit["origin"] for hit in answer["hits"]] == ["direct", "expanded", "expanded"]
    assert answer["hits"][1]["via"][0]["from"] == "Redis cache"
    assert "explain" not in answer["hits"][0]
    assert ran.out.count("\n") == 1


def test_search_without_hits_says_so_and_exits_with_1(filled: Run) -> None:
    ran = filled("search", "qwertz", "--mode", "keyword")
    assert ran.code == 1
    assert ran.out.startswith("No hits in ")


def test_search_filters_by_kind_and_tag_and_stops_at_the_limit(filled: Run) -> None:
    def hit_names(*options: str) -> list[str]:
        answer = filled("search", "redis cache", "--mode", "keyword", "--json", *options).document
        return [hit["name"] for hit in answer["hits"]]

    assert hit_names("--tag", "infra") == ["Redis cache"]
    assert hit_names("--kind", "Decision", "--kind", "Person") == ["Redis cache", "Watzmann"]
    assert hit_names("--no-expand") == ["Redis cache"]
    assert hit_names("--limit", "1") == ["Redis cache"]


def test_a_further_page_is_reported_with_its_option(filled: Run) -> None:
    command = ("search", "redis cache", "--mode", "keyword", "--limit", "1")
    first = filled(*command)
    assert first.err.strip() == "For more, raise --limit, or page with the cursor shown by --json."
    document = filled(*command, "--json")
    assert document.err == ""
    second = filled(*command, "--cursor", document.document["cursor"])
    said, _, cursor = second.err.strip().rpartition(" ")
    assert said == "For the next page, add --cursor"
    last = filled(*command, "--cursor", cursor)
    assert (last.code, last.err) == (0, "")
    pages = [page.out.splitlines()[2] for page in (first, second, last)]
    for name in ("Redis cache", "Zugspitze", "Watzmann"):
        assert sum(f" {name}  " in page for page in pages) == 1


def test_a_name_with_a_letter_wrong_is_found_unless_that_is_not_wanted(filled: Run) -> None:
    command = ("search", "Watzmamn", "--mode", "keyword", "--no-expand")
    assert "Watzmann" in filled(*command).out
    assert filled(*command, "--no-fuzzy-names").code == 1


def test_explain_shows_numbers_that_make_the_score(filled: Run) -> None:
    command = ("search", "redis cache", "--mode", "keyword", "--explain")
    hits = filled(*command, "--json").document["hits"]
    out = filled(*command).out
    first, linked = hits[0], hits[1]["explain"]["link"]
    for leg in first["explain"]["legs"]:
        assert f"{leg['leg']:<8}{leg['evidence']:.4f}: rank {leg['rank']}" in out
    weights = Weights()
    assert linked["evidence"] == pytest.approx(
        weights.link * linked["weight"] * linked["seed_direct"] ** weights.seed_exponent
        / linked["seed_relations"] ** weights.seed_damping
        / linked["neighbour_relations"] ** weights.neighbour_damping
    )  # fmt: skip
    assert f"link    {linked['evidence']:.4f}: " in out
    assert f"(1 - {first['matched']['link']:.4f}) = {first['score']:.4f}" in out


def test_explain_of_rrf_adds_up_reciprocal_ranks(filled: Run) -> None:
    ran = filled("search", "redis cache", "--ranking", "rrf", "--explain")
    assert "1/(60 + 1)" in ran.out


def test_show_gives_an_entity_whole_with_its_relations(filled: Run) -> None:
    ran = filled("show", "redis CACHE")
    assert "owner       ops" in ran.out
    assert "Sign-in state lives in memory." in ran.out
    assert "⟶ DEPENDS_ON to Zugspitze  Service — since May" in ran.out
    assert "⟵ KNOWS_ABOUT from Watzmann  Person" in ran.out
    page = filled("show", "Watzmann", "--json").document
    (observation,) = page["observations"]
    assert observation["text"] == "Climbs alone."
    output = filled("show", "Watzmann").out
    assert (
        f"  - Climbs alone.  ({observation['created_at'][:10]}, id {observation['id']})" in output
    )
    assert f"revision    {page['revision']}" in output


def test_changes_name_the_relations_that_were_created_and_what_was_undone(run: Run) -> None:
    for name in ("Quay", "Ferry"):
        assert run("remember", name).code == 0
    assert run("link", "Ferry", "MOORS_AT", "Quay").code == 0
    (change, *_) = run("changes", "--json").document["changes"]
    assert change["links"] == ["Ferry -[MOORS_AT]-> Quay"]
    assert "      1 linked: Ferry -[MOORS_AT]-> Quay\n" in run("changes").out
    assert run("undo", "last").code == 0
    assert f"  undo of {change['id']} by " in run("changes").out


def test_recent_speaks_of_filters_only_if_some_were_given(run: Run, project: str) -> None:
    listed = run("recent").out
    assert listed.startswith(f"No entities in {project}.\n")
    assert f"Note: the project `{project}` has no entities" in listed
    filtered = run("recent", "--kind", "Boat").out
    assert filtered.startswith(f"No entities in {project} pass the filters.\n")


def test_show_of_an_unknown_name_is_one_line_on_stderr_and_exit_code_1(filled: Run) -> None:
    ran = filled("show", "Nobody", "--json")
    assert (ran.code, ran.out) == (1, "")
    assert ran.err.startswith("graphmem: there is no entity 'Nobody' in ")
    assert ran.err.count("\n") == 1


def test_show_names_the_option_whose_value_is_no_moment(filled: Run) -> None:
    ran = filled("show", "Watzmann", "--as-of", "now")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("graphmem: --as-of must ")


def test_remember_adds_to_an_entity_and_says_unchanged_the_second_time(run: Run) -> None:
    said = ("remember", "Tide feed", "--kind", "Service", "--tag", "sea", "--tag", "api")
    assert "1 created" in run(*said).out
    assert "1 unchanged" in run(*said).out
    run("remember", "Tide feed", "--observation", "Late in March.", "--alias", "tides",
        "--observation-source", "harbour log")  # fmt: skip
    page = run("show", "tides", "--json").document
    assert page["tags"] == ["sea", "api"]
    assert page["observations"][0]["text"] == "Late in March."
    assert (page["observations"][0]["source"], page.get("source")) == ("harbour log", None)


def test_attributes_are_texts_or_after_a_colon_json(run: Run) -> None:
    cost, parts = "cost:=40", 'parts:=["a", "b"]'
    run("remember", "Tide feed", "--attribute", cost, "--attribute", "version=1.10")
    run("edit", "Tide feed", "--attribute", parts, "--attribute", "url=http://tides/?a:=b")
    attributes = run("show", "Tide feed", "--json").document["attributes"]
    assert attributes == {
        "cost": 40, "version": "1.10", "parts": ["a", "b"], "url": "http://tides/?a:=b"
    }  # fmt: skip
    where = '{"attributes": {"cost": {">": 30}}}'
    assert run("search", "tide", "--where", where, "--json").document["count"] == 1
    refused = run("remember", "Tide feed", "--attribute", "cost:=a lot")
    assert (refused.code, "must have JSON after `:=`" in refused.err) == (2, True)
    assert "For a text, write cost=a lot." in refused.err
    run("link", "Tide feed", "USES", "Tide feed", "--attribute", "share:=0.5", "--source", "Kai")
    assert "share: 0.5" in run("show", "Tide feed").out


def test_overwrite_deletes_what_is_not_given(run: Run) -> None:
    run("remember", "Tide feed", "--tag", "a", "--alias", "tides", "--attribute", "owner=ops")
    run("remember", "Tide feed", "--tag", "b", "--overwrite")
    page = run("show", "Tide feed", "--json").document
    assert (page["tags"], "aliases" in page, "attributes" in page) == (["b"], False, False)


def test_remember_reads_the_text_from_stdin(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    standard_input = io.BytesIO("\ufeffSaid on stdin,\r\nat high tide – twice.".encode())
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(standard_input, encoding="ascii"))
    run("remember", "Tide feed", "--text", "-")
    text = run("show", "Tide feed", "--json").document["text"]
    assert text == "Said on stdin,\nat high tide – twice."


def test_history_is_deleted_only_if_the_answer_is_yes(
    filled: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    compact = ("db", "compact", "--history-before", "1971-01-01")
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True, raising=False)
    for answer, code in (("\n", 1), ("no\n", 1), ("y\n", 0)):
        monkeypatch.setattr(sys.stdin, "readline", lambda answer=answer: answer, raising=False)
        ran = filled(*compact)
        assert ran.code == code
        assert "Delete the history of all projects from before 1971-01-01 for good?" in ran.err
        assert ("cancelled" in ran.err, "deleted" in ran.out) == (code == 1, code == 0)
    assert "0 history records" in filled(*compact, "--yes").out


def test_a_relation_may_replace_others_of_its_type(filled: Run) -> None:
    filled("remember", "Hochkalter")
    filled("link", "Watzmann", "LEADS", "Zugspitze")
    made = filled("link", "Watzmann", "LEADS", "Hochkalter", "--replaces", "from")

    assert made.code == 0
    assert "relations: 1 created, 1 updated" in made.out
    assert "Watzmann -[LEADS]-> Zugspitze ended 2" in made.out
    wrong = filled("link", "Watzmann", "LEADS", "Hochkalter", "--replaces", "start")
    assert (wrong.code, "from" in wrong.err) == (2, True)


def test_remember_deletes_no_text_where_stdin_is_empty(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("remember", "A", "--text", "Kept.")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"\n"), encoding="utf-8"))
    ran = run("remember", "A", "--text", "-")
    assert (ran.code, "--text must not be blank" in ran.err) == (2, True)
    assert run("show", "A", "--json").document["text"] == "Kept."


def test_link_and_unlink_make_and_delete_a_relation(filled: Run) -> None:
    made = filled("link", "Watzmann", "LEADS", "Zugspitze", "--weight", "0.5", "--json").document
    assert made["relations"]["created"] == 1
    assert "LEADS to Zugspitze  Service  weight 0.5" in filled("show", "Watzmann").out
    assert filled("unlink", "Watzmann", "KNOWS", "Zugspitze", "--json").document["deleted"] == 0
    assert filled("unlink", "Watzmann", "LEADS", "Zugspitze", "--json").document["deleted"] == 1
    filled("link", "Watzmann", "LEADS", "Zugspitze")
    by_option = ("unlink", "Watzmann", "Zugspitze", "--relation", "LEADS", "--json")
    assert filled(*by_option).document["deleted"] == 1
    filled("link", "Watzmann", "LEADS", "Zugspitze")
    assert filled("unlink", "Watzmann", "Zugspitze", "--json").document["deleted"] == 1
    ran = filled("unlink", "Watzmann", "Zugspitze")
    assert ran.code == 1
    assert "Note: there is no relation from Watzmann to Zugspitze, so none was removed" in ran.out


def test_a_link_is_recorded_as_one(filled: Run) -> None:
    filled("link", "Watzmann", "CLIMBS", "Zugspitze")
    assert "  link by " in filled("changes", "--limit", "1").out


def test_a_project_without_changes_has_none_to_undo(run: Run, project: str) -> None:
    ran = run("undo", "last")
    assert ran.code == 1
    assert f"{project} has no change to undo; `graphmem project list`" in ran.err


def test_a_purge_that_is_to_be_undone_says_that_it_cannot_be(filled: Run, project: str) -> None:
    filled("purge", "Watzmann", "--yes")
    ran = filled("undo", "last")
    assert ran.code == 0
    assert ran.out.startswith(f"{project}  nothing to do\nNote: nothing changed: `purge` by ")
    assert "cannot be undone; earlier changes can, and `changes`" in ran.out


def test_no_duplicates_are_reported_with_the_project_and_what_finds_more(
    run: Run, project: str
) -> None:
    run("remember", "Watzmann")
    ran = run("duplicates")
    assert (ran.code, ran.out) == (
        1,
        f"No likely duplicates in {project}; a lower --threshold finds more.\n",
    )


@pytest.mark.parametrize("command", ["changes", "duplicates", "overview", "stats"])
def test_commands_say_that_a_project_is_empty(run: Run, project: str, command: str) -> None:
    assert f"the project `{project}` has no entities" in " ".join(run(command).out.split())


@pytest.mark.parametrize(
    "command", [("search", "boat"), ("context", "boat"), ("recent",), ("overview",), ("stats",)]
)
def test_a_newcomer_is_told_how_an_empty_project_gets_entities(
    run: Run, command: tuple[str, ...]
) -> None:
    ran = run(*command)
    told = " ".join(f"{ran.out} {ran.err}".split())
    assert "To begin, `graphmem remember` stores an entity, and `graphmem import` reads " in told
    assert "`graphmem stats`" not in told


def test_a_project_whose_entities_match_nothing_gets_no_first_step(filled: Run) -> None:
    ran = filled("search", "qwertz", "--mode", "keyword")
    assert "`graphmem stats`" in ran.out
    assert "To begin" not in ran.out


def test_an_undo_loads_no_model_unless_it_embeds_something(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("remember", "Watzmann")
    begun: list[bool] = []
    model = FakeEmbedder()

    def embedder(_: object, *, soon: bool, say: object) -> FakeEmbedder:  # noqa: ARG001 - as it is called
        begun.append(soon)
        return model

    monkeypatch.setattr(session, "embedder", embedder)
    assert run("undo", "nonsense").code == 1
    assert run("undo", "last").code == 0
    assert begun == [False, False]


def test_changes_are_listed_until_a_day_in_words(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    run("remember", "Watzmann")
    monkeypatch.setattr(cli_history, "DAYS", 0)
    assert "1 created: Watzmann" not in run("changes").out
    assert "1 created: Watzmann" in run("changes", "--until", "today").out
    assert "nothing changed by then" in run("changes", "--until", "yesterday").out
    for until, is_listed in (("today", True), ("yesterday", False), ("last week", False)):
        listed = run("changes", "--since", "30 days ago", "--until", until)
        assert (listed.code, "1 created: Watzmann" in listed.out) == (0, is_listed)
    refused = run("changes", "--until", "some friday")
    assert refused.code == 2
    assert "--until must be a day such as 2026-03-01, a moment, or words such as" in refused.err


def test_a_link_does_not_wait_for_the_model(filled: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    model = FakeEmbedder(state="failed", reason="there is none")
    monkeypatch.setattr(session, "embedder", lambda *_, **__: model)
    report = filled("link", "Watzmann", "LEADS", "Zugspitze", "--json").document
    assert (report["relations"]["created"], report["notes"]) == (1, [])


def test_a_search_without_the_model_says_so_in_a_sentence(
    filled: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = FakeEmbedder(state="failed", reason="there is no model")
    monkeypatch.setattr(session, "embedder", lambda *_, **__: model)
    assert "Note: there is no model" in filled("search", "redis cache").out


def test_a_link_to_a_missing_entity_is_refused_with_exit_code_1(filled: Run) -> None:
    ran = filled("link", "Watzmann", "LEADS", "Nobody")
    assert ran.code == 1
    assert "no entity 'Nobody'" in ran.out


def test_merge_shows_what_would_happen_asks_and_merges(
    filled: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = filled("export").out
    planned = filled("merge", "Redis cache", "Zugspitze", "--dry-run")
    assert (planned.code, planned.err) == (0, "")
    monkeypatch.setattr(sys, "stdin", Keyboard("n\n"))
    refused = filled("merge", "Redis cache", "Zugspitze")
    assert refused.code == 1
    assert refused.err.endswith("[y/N] graphmem: cancelled; nothing was changed\n")
    assert filled("export").out == before
    assert planned.out == f"{refused.out}Dry run: nothing was changed.\n"
    merged = filled("merge", "Redis cache", "Zugspitze", "--yes", "--note", "the same thing")
    assert (merged.code, merged.out) == (
        0,
        f"{refused.out}Merged; `graphmem undo last` undoes it.\n",
    )
    assert filled("show", "Redis cache", "--json").document["name"] == "Zugspitze"
    assert "the same thing" in filled("changes").out
    assert filled("undo", "last").code == 0
    assert filled("show", "Redis cache", "--json").document["name"] == "Redis cache"


def test_merge_says_what_becomes_of_a_text_and_of_a_field_that_differs(run: Run) -> None:
    run("remember", "One", "--kind", "Tool", "--text", "first")
    run("remember", "Two", "--kind", "Part", "--text", "second")
    planned = run("merge", "One", "Two", "--dry-run").out
    assert "  text: 'second' stays, 'first' becomes an observation\n" in planned
    assert "  kind: 'Part' stays, 'Tool' goes\n" in planned
    run("merge", "One", "Two", "--yes")
    (observation,) = run("show", "Two", "--json").document["observations"]
    assert observation["text"] == "first"


def test_forget_hides_and_says_what_was_not_there(filled: Run) -> None:
    ran = filled("forget", "Redis cache", "Nobody")
    assert ran.code == 1
    assert "1 updated, 1 refused" in ran.out
    assert filled("search", "redis cache", "--mode", "keyword").code == 1


def test_stats_counts_entities_and_relations(filled: Run, project: str) -> None:
    counted = filled("stats", "--json").document
    assert (counted["project"], counted["entities"], counted["relations"]) == (project, 3, 2)
    assert "Decision 1, Person 1, Service 1" in filled("stats").out


def test_import_refuses_bad_rows_with_their_line_and_writes_the_others(
    run: Run, tmp_path: Path
) -> None:
    file = tmp_path / "bad.jsonl"
    file.write_text('{"type": "entity", "name": "Good"}\n{"type": "entity"}\n', encoding="utf-8")
    ran = run("import", "jsonl", str(file))
    assert ran.code == 1
    assert "1 created, 1 refused" in ran.out
    assert "bad.jsonl:2" in ran.out


def test_a_dry_run_writes_nothing(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "one.jsonl"
    file.write_text('{"type": "entity", "name": "Good"}\n', encoding="utf-8")
    assert "nothing was written" in run("import", "jsonl", str(file), "--dry-run").out
    assert run("stats", "--json").document["entities"] == 0


def test_what_export_writes_import_reads_to_the_same_project(
    filled: Run, project: str, tmp_path: Path
) -> None:
    file = tmp_path / "all.jsonl"
    done = filled("export", "--output", str(file), "--json").document
    assert done == {"project": project, "lines": 5, "output": str(file)}
    assert filled("export").out == file.read_text(encoding="utf-8")
    copy = f"{project}-copy"
    filled("import", "jsonl", str(file), "--project", copy)
    assert filled("export", "--project", copy).out == filled("export").out
    assert list(tmp_path.glob(".all.jsonl*")) == []


def test_export_of_an_empty_project_writes_no_file(run: Run, project: str, tmp_path: Path) -> None:
    ran = run("export", "--output", str(tmp_path / "none.jsonl"))
    assert ran.code == 1
    assert ran.err.startswith(f"graphmem: the project `{project}` holds nothing to export")
    assert list(tmp_path.iterdir()) == []


def test_doctor_finds_everything_in_order(run: Run) -> None:
    # Other tests change things by hand in the same store.
    report = run("doctor", "--repair", "--json").document
    assert report["ok"], report
    assert [check["name"] for check in report["checks"]] == [
        "settings", "project", "Java", "jars", "home", "server", "schema", "languages",
        "content", "model", "passages",
    ]  # fmt: skip
    said = {check["name"]: check["message"] for check in report["checks"]}
    assert said["schema"].endswith(f"; the store has version {VERSION}")


def test_doctor_counts_what_was_changed_by_hand_and_puts_it_right(
    run: Run, graph: Graph, project: str
) -> None:
    def content(*options: str) -> dict[str, object]:
        checks = run("doctor", "--json", "--project", project, *options).document["checks"]
        (check,) = [one for one in checks if one["name"] == "content"]
        return check  # type: ignore[no-any-return]

    run("remember", "Pier", "--text", "A long jetty.", "--project", project)
    content("--repair")
    with graph._session("WRITE") as session:
        session.run(
            "MATCH (entity:Entity {project: $project}) SET entity.tags = ['wood']", project=project
        ).consume()
    looked = content()
    assert looked["ok"] is False
    assert "2 things were changed by hand" in str(looked["message"])
    assert "`graphmem doctor --repair` repairs them" in str(looked["message"])
    mended = content("--repair")
    assert mended["ok"] is True
    assert "repaired what was changed by hand" in str(mended["message"])
    assert content() == {"name": "content", "ok": True, "message": "consistent"}


def test_doctor_notices_weights_that_are_not_the_known_ones(graph: Graph) -> None:
    identity = replace(DEFAULT_IDENTITY, revision="0123456789abcdef")
    model = StoreModel(graph, FakeEmbedder(identity), wait_for_model=True, read_only=True)
    said = _other_weights(Settings(), model)
    assert said is not None
    assert "0123456789abcdef" in said
    assert "set GRAPHMEM_MODEL" in said
    assert _other_weights(Settings(model="./mine"), model) is None
    known = StoreModel(graph, FakeEmbedder(), wait_for_model=True, read_only=True)
    assert _other_weights(Settings(), known) is None


def test_an_import_embeds_what_waited(run: Run, graph: Graph, project: str, tmp_path: Path) -> None:
    broken = FakeEmbedder(state="failed", reason="the model is broken")
    server = Memory(graph, StoreModel(graph, broken, wait_for_model=False, read_only=True), project)
    server.remember([{"name": "Pier", "text": "a long jetty"}])
    assert run("stats", "--json").document["pending"] == 1
    file = tmp_path / "one.jsonl"
    file.write_text(json.dumps(LINES[1]), encoding="utf-8")
    assert run("import", "jsonl", str(file), "--json").document["notes"] == []
    assert run("stats", "--json").document["pending"] == 0


def test_an_import_that_fails_midway_shows_what_was_written(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(_: Memory, *__: object, **___: object) -> None:
        report = Report("here", (Item("entity", "A", "created"), Item("entity", "B", "updated")))
        raise PartialWrite(report, DatabaseError("the disk is full"))

    monkeypatch.setattr(Memory, "import_", fails)
    ran = run("import", "markdown", str(tmp_path))
    assert ran.code == 1
    assert "1 created, 1 updated" in ran.out
    assert "the disk is full; 2 entities and 0 relations were written before that" in ran.err
    document = run("import", "markdown", str(tmp_path), "--json").document
    assert document["entities"]["created"] == 1
    assert document["error"].startswith("the disk is full; 2 entities")


def test_doctor_says_what_is_wrong_and_exits_with_1(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NEO4J_URI", "bolt://127.0.0.1:1")
    ran = run("doctor")
    assert ran.code == 1
    assert "✗ server" in ran.out
    assert "no Neo4j answers at bolt://127.0.0.1:1" in ran.out


def test_doctor_names_the_setting_of_an_embedding_server_that_cannot_be_used(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        session, "embedder", lambda config, **_: configured_embedder(config, start=False)
    )
    monkeypatch.setenv("GRAPHMEM_EMBEDDING_URL", "https://me:hush@api.example.org/v1")
    ran = run("doctor", "--json")
    assert ran.code == 1
    check = ran.document["checks"][-1]
    assert (check["name"], check["ok"]) == ("model", False)
    assert "GRAPHMEM_EMBEDDING_URL must hold no user name or password" in check["message"]
    assert "hush" not in ran.out + ran.err


def test_doctor_shows_no_password_that_stands_in_the_address() -> None:
    config = Settings(neo4j_uri="neo4j://me:secret@db.example.org:7687")
    shown = Check("settings", ok=True, message=_server_choice(config))
    assert "secret" not in shown.message
    assert "neo4j://db.example.org:7687" in shown.message


def test_doctor_names_a_variable_that_is_no_setting_and_goes_on(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRAPHMEM_NEO4J_PASSWORD", "hush")
    monkeypatch.setenv("GRAPHMEM_COLOUR", "red")
    checks = run("doctor", "--json").document["checks"]
    assert checks[0] == {
        "name": "settings",
        "ok": False,
        "message": "GRAPHMEM_COLOUR is not a setting, so it has no effect; `.env.example` lists "
        "all settings; GRAPHMEM_NEO4J_PASSWORD is not a setting, so it has no effect; did you mean "
        "NEO4J_PASSWORD?",
    }
    assert len(checks) > 1


@pytest.mark.parametrize("address", ["bolt://[::1:7687", "neo4j://me:se/cret@db.example.org"])
def test_doctor_names_an_address_that_is_none_and_shows_no_password(
    address: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("NEO4J_URI", address)
    assert cli.main(["doctor"]) == 1
    output = capsys.readouterr().out
    assert f"NEO4J_URI is set to {address.replace('me:se/cret@', '')}, database neo4j" in output
    assert "✗ server" in output
    assert "me:se" not in output


def test_db_status_says_that_the_server_runs_and_start_leaves_it_running(run: Run) -> None:
    status = run("db", "status", "--json").document
    assert status["running"] is True
    started = run("db", "start", "--json").document
    assert (started["pid"], started["uri"]) == (status["pid"], status["uri"])
    assert status["store_version"] == VERSION
    text = run("db", "status").out
    assert "The private Neo4j" in text
    assert f"store    version {VERSION}; up to date" in text


def test_db_status_says_whether_a_store_is_older_or_newer() -> None:
    assert "brings it up to date" in _age(VERSION - 1)
    assert _age(VERSION) == "up to date"
    assert "upgrade graphmem" in _age(VERSION + 1)


def test_db_stop_of_what_does_not_run_is_no_error(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("GRAPHMEM_HOME", str(tmp_path / "elsewhere"))
    assert run("db", "stop", "--json").document == {"stopped": False}
    assert "is not running" in run("db", "status").out


def test_an_unreachable_server_is_one_line_on_stderr_and_exit_code_1(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NEO4J_URI", "bolt://127.0.0.1:1")
    ran = run("stats", "--json")
    assert (ran.code, ran.out, ran.err.count("\n")) == (1, "", 1)
    address = "bolt://127.0.0.1:1 (Connection refused); run `graphmem doctor`"
    assert ran.err.startswith(f"graphmem: no Neo4j answers at {address}")
