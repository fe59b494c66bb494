"""Stores of earlier versions are brought up to date: each step once, whole, and past any kill."""

import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import neo4j
import pytest

import store_files
from concurrent_calls import at_once
from fakes import FakeEmbedder
from graphmem import migrations, schema
from graphmem.embedding import ModelIdentity
from graphmem.errors import SchemaMismatch
from graphmem.graph import Graph, Transaction
from graphmem.memory import Memory
from graphmem.memory.store.connecting import connect
from graphmem.migrations import MIGRATIONS, VERSION, Migration
from graphmem.migrations import store as migrations_store
from graphmem.migrations.prefix import FORMER_NAMES, prefix_properties
from graphmem.progress import SILENT, Progress
from graphmem.settings import Settings
from graphmem.write import repair
from listeners import Listener
from neo4j_servers import helper_process, kill_once_reached

pytestmark = pytest.mark.live

IDENTITY = ModelIdentity("made-for-tests", "1", 8)
PROJECT = "example.org/team/notes"
OLDEST = "before_authors"


def without_ids(memory: Memory, name: str) -> dict[str, object]:
    """An entity as versions gave it that had no revisions, no ids, and little of relations."""
    return without_ids_of(memory.get(name)[0].to_json())


def without_ids_of(page: dict[str, Any]) -> dict[str, Any]:
    observations = page.get("observations") or []
    kept = [{k: v for k, v in observation.items() if k != "id"} for observation in observations]
    told = {**page, "observations": kept} if kept else dict(page)
    told.pop("revision", None)
    told["relations"] = [
        {k: v for k, v in relation.items() if k not in {"confidence", "source", "attributes"}}
        for relation in page["relations"]
    ]
    return told


@pytest.fixture
def session(store: Graph) -> Iterator[neo4j.Session]:
    """For what no statement of graphmem does."""
    with store._session("WRITE") as session:
        yield session


@pytest.fixture
def older(session: neo4j.Session) -> neo4j.Session:
    """The store as the oldest version left it."""
    store_files.load(session, store_files.read(OLDEST))
    return session


def opened(own: Settings, *, read_only: bool = False, progress: Progress = SILENT) -> Memory:
    return Memory.open(
        project=PROJECT,
        config=own,
        embedder=FakeEmbedder(made_with=IDENTITY),
        read_only=read_only,
        progress=progress,
    )


def noted(session: neo4j.Session) -> dict[str, Any]:
    row = session.run("MATCH (store:Graphmem) RETURN properties(store) AS store").single()
    assert row is not None
    return dict(row["store"])


def without_authors(session: neo4j.Session) -> int:
    row = session.run(
        "RETURN COUNT { (entity:Entity WHERE entity.asserted_by IS NULL) }"
        " + COUNT { (:Entity)-[link:!HAS_PASSAGE WHERE link.asserted_by IS NULL]->() }"
        " + COUNT { (passage:Passage WHERE passage.origin = 'observation'"
        " AND passage.asserted_by IS NULL) } AS missing"
    ).single()
    assert row is not None
    return int(row["missing"])


def noted_changes(session: neo4j.Session) -> int:
    """How much a store notes of what was changed."""
    row = session.run(
        "RETURN COUNT { (:GraphmemChange) } + COUNT { (:GraphmemRevision) } AS noted"
    ).single(strict=True)
    return int(row["noted"])


def without_beginnings(session: neo4j.Session) -> int:
    row = session.run(
        "RETURN COUNT { (:Entity)-[link:!HAS_PASSAGE WHERE link.graphmem_since IS NULL]->() } "
        "AS missing"
    ).single(strict=True)
    return int(row["missing"])


def unprefixed(session: neo4j.Session) -> int:
    """How many entities and relations have a property of graphmem's own as it was called before."""
    row = session.run(
        "RETURN COUNT { MATCH (e:Entity) WHERE any(name IN $names WHERE e[name] IS NOT NULL) } "
        "+ COUNT { (:Entity)-[link:!HAS_PASSAGE WHERE link.assertions IS NOT NULL]->() } AS left",
        names=sorted(FORMER_NAMES),
    ).single(strict=True)
    return int(row["left"])


def version_of(store: dict[str, Any]) -> int:
    """The version that the store of a file notes."""
    (own,) = [node for node in store["nodes"] if node["labels"] == ["Graphmem"]]
    return int(own["properties"]["schema_version"])


# The table


def test_migrations_are_numbered_without_gaps_and_have_a_title() -> None:
    assert [migration.number for migration in MIGRATIONS] == list(range(2, VERSION + 1))
    assert all(
        migration.title[0].islower() and not migration.title.endswith(".")
        for migration in MIGRATIONS
    )


# Stores of every earlier version


@pytest.mark.parametrize("name", store_files.NAMES)
def test_an_older_store_is_brought_up_to_date_and_keeps_everything(
    own: Settings, store: Graph, session: neo4j.Session, name: str
) -> None:
    made = store_files.read(name)
    store_files.load(session, made)
    history = noted_changes(session)
    with opened(own) as memory:
        before = made["answers"]
        assert {p: list(memory.export(project=p)) for p in before["export"]} == before["export"]
        told = {name: without_ids_of(page) for name, page in before["get"].items()}
        assert {name: without_ids(memory, name) for name in told} == told
        found = {
            query: sorted(hit.name for hit in memory.search(query, mode="keyword").hits)
            for query in before["search"]
        }
        assert found == before["search"]
        assert memory.search("lighthouse", mode="semantic").hits
    assert noted_changes(session) == history
    assert noted(session)["schema_version"] == VERSION
    lines = [line.split(" ", 2) for line in noted(session)["migrations"]]
    run = [migration for migration in MIGRATIONS if migration.number > version_of(made)]
    assert [int(number) for number, _, _ in lines] == [migration.number for migration in run]
    assert [title for _, _, title in lines] == [migration.title for migration in run]
    assert without_authors(session) == without_beginnings(session) == unprefixed(session) == 0
    assert dict(repair(store, writes=False).counts) == {}


def test_what_an_import_and_a_caller_asserted_has_its_author(
    own: Settings, older: neo4j.Session
) -> None:
    with opened(own) as memory:
        lines = {
            (line.get("name") or f"{line['from']} {line['relation']} {line['to']}"): line
            for line in memory.export_all(history=False)
        }
    authors = {name: line["provenance"]["asserted_by"] for name, line in lines.items()}  # type: ignore[index]
    assert authors["Harbour"] == authors["House style"] == ["caller"]
    assert authors["Harbour NEAR Café ☕"] == ["caller"]
    assert authors["app.py::serve"] == authors["app.py::helper"] == ["unknown"]
    assert authors["app.py::serve CALLS app.py::helper"] == ["code:/imported/code"]
    marks = older.run("MATCH ()-[link]->() WHERE link.imported IS NOT NULL RETURN link")
    assert marks.data() == []


def test_what_was_forgotten_and_is_imported_again_stays_forgotten(
    own: Settings, session: neo4j.Session, tmp_path: Path
) -> None:
    store_files.load(session, store_files.read(OLDEST, folder=str(tmp_path)))
    code = tmp_path / "code"
    code.mkdir()
    (code / "app.py").write_text(
        'def serve():\n    """Answers all requests."""\n    return helper()\n\n\n'
        "def helper():\n    return 1\n"
    )
    with opened(own) as memory:
        memory.import_("code", code)
        assert memory.get("app.py::helper")[0].entity.status == "forgotten"
        serve = memory.get("app.py::serve")[0].entity
        assert "Answers all requests." in (serve.text or "")
        assert "slow" in serve.tags
        assert "Takes a second." in [observation.text for observation in serve.observations]
        assert memory.get("old.py::gone")[0].entity.status == "removed"


def test_custom_attributes_that_had_the_prefix_keep_value_author_and_filter(
    own: Settings, session: neo4j.Session
) -> None:
    store_files.load(session, store_files.read("before_prefix"))
    session.run(
        "MATCH (harbour:Entity {name: 'Harbour'})-[link:NEAR]->() "
        "SET harbour.graphmem_depth = 7, link.graphmem_metres = 150, harbour.assertions = $record, "
        "harbour.asserted_by = ['caller', 'jsonl:depths']",
        record='{"attribute/graphmem_depth":{"jsonl:depths":[5]},"title/":{"caller":[4,'
        r'"\"attribute/graphmem_depth\":"]}}',
    ).consume()
    history = noted_changes(session)
    with opened(own) as memory:
        assert noted_changes(session) == history
        (hit,) = memory.search("harbour", where={"attributes": {"_graphmem_depth": 7}}).hits
        assert hit.name == "Harbour"
        (line,) = [one for one in memory.export_all() if one.get("name") == "Harbour"]
        assert line["attributes"]["_graphmem_depth"] == 7  # type: ignore[index]
        assert line["provenance"]["assertions"] == {  # type: ignore[index]
            "attribute/_graphmem_depth": {"jsonl:depths": [5]},
            "title/": {"caller": [4, '"attribute/graphmem_depth":']},
        }
        (near,) = [one for one in memory.export() if one.get("from") == "Harbour"]
        assert near["attributes"]["_graphmem_metres"] == 150  # type: ignore[index]


def test_names_that_became_free_may_be_attributes_of_an_older_store(
    own: Settings, session: neo4j.Session
) -> None:
    store_files.load(session, store_files.read("before_prefix"))
    attributes = {name: f"of {name}" for name in sorted(FORMER_NAMES - {"text"})}
    with opened(own) as memory:
        memory.remember([{"name": "Harbour", "attributes": attributes}])
        memory.remember(relations=[{"from": "Harbour", "relation": "NEAR", "to": "Café ☕",
                                    "attributes": attributes}])  # fmt: skip
    with opened(own) as memory:
        entity = memory.get("Harbour")[0].entity
        assert attributes.items() <= entity.attributes.items()
        assert [observation.text for observation in entity.observations] == []
        for name, value in attributes.items():
            hits = memory.search("harbour", where={"attributes": {name: value}}).hits
            assert [hit.name for hit in hits] == ["Harbour"]
        (near,) = [line for line in memory.export() if line.get("from") == "Harbour"]
        assert attributes.items() <= near["attributes"].items()  # type: ignore[attr-defined]


# Once, and told


def test_each_migration_runs_once_and_a_store_that_is_ready_costs_two_reads(
    store: Graph, older: neo4j.Session
) -> None:
    listener = Listener()
    migrations.prepare(store, progress=listener)
    assert listener.sentences == [
        f"Bringing the store up to date, {place} of {len(MIGRATIONS)}: {one.title} …"
        for place, one in enumerate(MIGRATIONS, 1)
    ]
    entities = older.run("MATCH (entity:Entity) RETURN count(entity) AS count").single(strict=True)
    total = entities["count"]
    assert listener.steps[-1] == ("Bringing the store up to date", total, total)
    before, record = store.statements, noted(older)
    migrations.prepare(store, progress=listener)
    assert store.statements == before + 2
    assert noted(older) == record
    assert len(listener.sentences) == len(MIGRATIONS)


def test_a_new_store_has_the_newest_version_and_no_migrations(
    own: Settings, session: neo4j.Session
) -> None:
    session.run("MATCH (node) DETACH DELETE node").consume()
    listener = Listener()
    with opened(own, progress=listener) as memory:
        memory.remember([{"name": "First", "text": "The first words."}])
    store = noted(session)
    assert store["schema_version"] == VERSION
    assert "migrations" not in store
    assert store["model_name"] == IDENTITY.name
    assert listener.sentences == []


def test_an_older_store_that_no_model_was_noted_in_is_known_by_its_content(
    own: Settings, older: neo4j.Session
) -> None:
    older.run("MATCH (store:Graphmem) DELETE store").consume()
    with opened(own):
        assert noted(older)["schema_version"] == VERSION
        assert without_authors(older) == 0


# Interrupted


def test_a_migration_that_fails_half_way_keeps_what_is_done_and_goes_on(
    store: Graph, older: neo4j.Session
) -> None:
    pages: list[list[str]] = []

    def fails(transaction: Transaction, keys: list[str]) -> bool:
        pages.append(keys)
        assert MIGRATIONS[1].change is not None
        finished = MIGRATIONS[1].change(transaction, keys)
        if len(pages) == 3:
            raise ArithmeticError
        return finished

    table = (MIGRATIONS[0], Migration(3, "failing", fails))
    with pytest.raises(ArithmeticError):
        migrations.migrate(store, migrations=table, page=2)
    assert noted(older)["schema_version"] == 2
    done = older.run("MATCH (e:Entity) WHERE e.asserted_by IS NOT NULL RETURN e.key AS key")
    assert sorted(row["key"] for row in done) == sorted([*pages[0], *pages[1]])
    migrations.prepare(store)
    assert noted(older)["schema_version"] == VERSION
    assert len(noted(older)["migrations"]) == len(MIGRATIONS)
    assert without_authors(older) == 0


def test_a_page_comes_again_until_it_is_finished(store: Graph, older: neo4j.Session) -> None:
    pages: list[list[str]] = []

    def slow(_: Transaction, keys: list[str]) -> bool:
        pages.append(keys)
        return len(pages) % 3 == 0

    migrations.migrate(store, migrations=(Migration(2, "going slowly", slow),), page=5)
    assert pages[0] == pages[1] == pages[2] != pages[3]
    assert len({tuple(page) for page in pages}) * 3 == len(pages)
    assert noted(older)["schema_version"] == 2


@pytest.mark.parametrize("where", ["between", "inside"])
def test_a_process_killed_on_the_way_does_no_harm(
    own: Settings, older: neo4j.Session, where: str
) -> None:
    missing = without_authors(older)
    with helper_process(own, "migration_process.py", where) as process:
        kill_once_reached(process)
    assert noted(older)["schema_version"] == 1
    left = without_authors(older)
    assert left < missing if where == "between" else left == missing
    made = store_files.read(OLDEST)
    with opened(own) as memory:
        assert list(memory.export()) == made["answers"]["export"][PROJECT]
    assert noted(older)["schema_version"] == VERSION
    assert without_authors(older) == 0


def test_several_connections_at_once_run_each_migration_once(
    own: Settings, older: neo4j.Session
) -> None:
    def prepare() -> None:
        with connect(own, read_only=False, progress=SILENT) as graph:
            migrations.migrate(graph, page=2)

    at_once(*[prepare] * 4)
    numbers = [int(line.split()[0]) for line in noted(older)["migrations"]]
    assert numbers == [migration.number for migration in MIGRATIONS]
    assert without_authors(older) == 0


def test_giving_the_prefix_goes_on_where_it_was_broken_off(
    own: Settings, store: Graph, session: neo4j.Session
) -> None:
    made = store_files.read("before_prefix")
    store_files.load(session, made)
    before = unprefixed(session)
    pages: list[list[str]] = []

    def dies(transaction: Transaction, keys: list[str]) -> bool:
        pages.append(keys)
        finished = prefix_properties(transaction, keys)
        if len(pages) == 3:
            raise ArithmeticError
        return finished

    table = (*MIGRATIONS[:4], Migration(6, "dying", dies))
    with pytest.raises(ArithmeticError):
        migrations.migrate(store, migrations=table, page=2)
    assert 0 < unprefixed(session) < before
    with opened(own) as memory:
        assert list(memory.export()) == made["answers"]["export"][PROJECT]
    assert unprefixed(session) == 0
    assert noted(session)["schema_version"] == VERSION


def test_the_indexes_of_an_older_store_are_made_again_once(
    own: Settings, store: Graph, session: neo4j.Session
) -> None:
    store_files.load(session, store_files.read("before_prefix"))
    for name in ("graphmem_entity_handles", "graphmem_entity_text"):
        session.run(f"DROP INDEX {name} IF EXISTS").consume()
    session.run(
        "CREATE FULLTEXT INDEX graphmem_entity_handles FOR (e:Entity) "
        "ON EACH [e.handles, e.filters] OPTIONS {indexConfig: {`fulltext.analyzer`: 'whitespace'}}"
    ).consume()
    session.run(
        "CREATE FULLTEXT INDEX graphmem_entity_text FOR (e:Entity) ON EACH [e.text, e.called, "
        "e.identifier_parts, e.filters, e.name, e.title, e.aliases, e.tags, e.kind, e.category] "
        "OPTIONS {indexConfig: {`fulltext.analyzer`: 'standard-no-stop-words'}}"
    ).consume()
    session.run("CALL db.awaitIndexes(300)").consume()

    def prepare() -> None:
        with connect(own, read_only=False, progress=SILENT) as graph:
            migrations.prepare(graph)

    at_once(*[prepare] * 4)
    assert schema.check(store) == []
    with opened(own) as memory:
        assert memory.get("Гавань")[0].entity.name == "Harbour"
        assert [hit.name for hit in memory.search("keeper AND log -Redis").hits]


# Not for writing


@pytest.mark.parametrize(
    ("versions", "state"),
    [
        ({"schema_version": 99, "next_version": 1}, "has version 99"),
        ({"schema_version": VERSION, "next_version": 99}, "is being brought to version 99"),
    ],
)
def test_a_newer_store_is_refused_and_left_as_it_is(
    own: Settings, session: neo4j.Session, versions: dict[str, int], state: str
) -> None:
    store_files.load(session, store_files.read(OLDEST))
    session.run("MATCH (store:Graphmem) SET store += $versions", versions=versions).consume()
    session.run("DROP INDEX graphmem_entity_project IF EXISTS").consume()
    for read_only in (False, True):
        with pytest.raises(SchemaMismatch, match=rf"{state}.*up to \d+.*upgrade graphmem"):
            opened(own, read_only=read_only)
    names = session.run("SHOW INDEXES YIELD name RETURN collect(name) AS names").single(strict=True)
    assert "graphmem_entity_project" not in names["names"]
    assert versions.items() <= noted(session).items()


def test_a_database_of_another_program_is_refused_and_left_unchanged(
    own: Settings, store: Graph, session: neo4j.Session
) -> None:
    """They have the labels of a store from before versions were noted, but none of its indexes."""
    session.run("MATCH (node) DETACH DELETE node").consume()
    session.run("CREATE (:Entity {name: 'A harbour', valid_from: 'spring'})").consume()
    for row in session.run("SHOW CONSTRAINTS YIELD name").data():
        session.run(f"DROP CONSTRAINT {row['name']}").consume()
    for row in store.read("read/indexes"):
        session.run(f"DROP INDEX {row['name']}").consume()
    try:
        for read_only in (False, True):
            with pytest.raises(SchemaMismatch, match=r"another program.*NEO4J_DATABASE"):
                opened(own, read_only=read_only)
        nodes = session.run("MATCH (node) RETURN properties(node) AS properties").data()
        assert nodes == [{"properties": {"name": "A harbour", "valid_from": "spring"}}]
        assert store.read("read/indexes") == []
    finally:
        session.run("MATCH (node) DETACH DELETE node").consume()
        migrations.prepare(store)


@pytest.mark.parametrize("name", [OLDEST, "before_prefix"])
def test_a_store_without_prefixed_names_cannot_be_opened_read_only(
    own: Settings, store: Graph, session: neo4j.Session, name: str
) -> None:
    schema.ensure(store)
    made = store_files.read(name)
    store_files.load(session, made)
    missing = without_authors(session)
    version = version_of(made)
    with pytest.raises(SchemaMismatch, match=rf"has version {version}.*once without read-only"):
        opened(own, read_only=True)
    assert noted(session)["schema_version"] == version
    assert without_authors(session) == missing


def test_an_older_store_that_is_only_read_answers_and_stays_as_it_is(
    own: Settings,
    session: neo4j.Session,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    store_files.load(session, store_files.read("before_prefix"))
    made = store_files.read("before_prefix")["answers"]
    with opened(own):
        pass
    monkeypatch.setattr(migrations_store, "VERSION", VERSION + 1)
    with caplog.at_level(logging.WARNING, "graphmem"), opened(own, read_only=True) as memory:
        assert list(memory.export()) == made["export"][PROJECT]
        assert memory.search("lighthouse", mode="keyword").hits
    [line] = [record.getMessage() for record in caplog.records if "version" in record.getMessage()]
    assert f"has version {VERSION}, and this graphmem writes version {VERSION + 1}" in line
    assert "without read-only" in line
    assert noted(session)["schema_version"] == VERSION


# An older graphmem that still runs


@pytest.fixture
def empty_store(store: Graph, session: neo4j.Session) -> Iterator[Graph]:
    """The file's store without content, of the version of today before and after a test."""
    session.run("MATCH (node) DETACH DELETE node").consume()
    migrations.prepare(store)
    yield store
    session.run("MATCH (node) DETACH DELETE node").consume()
    migrations.prepare(store)


def test_a_memory_that_is_open_writes_nothing_once_a_newer_graphmem_has_the_store(
    own: Settings, empty_store: Graph, session: neo4j.Session
) -> None:
    del empty_store
    with opened(own) as memory:
        memory.remember([{"name": "Lighthouse", "text": "Stands at the harbour."}])
        session.run(
            "MATCH (store:Graphmem) SET store.schema_version = 99, store.next_version = 1"
        ).consume()
        with pytest.raises(SchemaMismatch, match=r"version 99 now.*writes version.*restart"):
            memory.remember([{"name": "Breakwater"}])
        with pytest.raises(SchemaMismatch, match="nothing was written"):
            memory.forget("Lighthouse")
        assert [hit.name for hit in memory.search("lighthouse harbour").hits] == ["Lighthouse"]
        assert [line["name"] for line in memory.export()] == ["Lighthouse"]


def test_a_memory_that_is_open_writes_nothing_while_a_newer_graphmem_migrates_the_store(
    own: Settings, empty_store: Graph, session: neo4j.Session
) -> None:
    newer = Graph(lambda: empty_store._target, timeout=empty_store.timeout)
    with newer, opened(own) as memory:
        memory.remember([{"name": name} for name in ("Lighthouse", "Pier", "Quay")])
        refusals: list[str] = []

        def change(_: Transaction, keys: list[str]) -> bool:
            with pytest.raises(SchemaMismatch) as refusal:
                memory.remember([{"name": f"Beside {keys[0]}"}])
            refusals.append(str(refusal.value))
            return True

        table = (*MIGRATIONS, Migration(VERSION + 1, "what a newer one does", change))
        migrations.migrate(newer, migrations=table, page=2)
        assert len(refusals) == 2
        assert all(f"version {VERSION + 1} now" in refusal for refusal in refusals)
        assert len(list(memory.export())) == 3
        assert noted(session)["schema_version"] == VERSION + 1
