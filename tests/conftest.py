"""What all tests share: one Neo4j per process of a run, in a home that is gone afterwards.

Tests that need a server, the real model or a build are `live`, those that use the fixtures below
by themselves; `pytest -m "not live"` runs the others in seconds. A live test fails where no server
can be had; it is never skipped.
"""

import gc
import json
import os
import shutil
import signal
import tempfile
import uuid
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path

import hypothesis
import neo4j
import pytest

import neo4j_servers
import server_java
import workers
from fakes import FakeEmbedder
from fault_table import record, summarise
from graphmem import migrations, neo4j_process
from graphmem.embedding import DEFAULT_MODEL, BackgroundEmbedder, local_embedder
from graphmem.errors import JavaNotFound
from graphmem.graph import Graph
from graphmem.memory import Memory
from graphmem.memory.store import connecting
from graphmem.memory.store.connecting import connect
from graphmem.model import Entity, Relation, Report
from graphmem.neo4j_process.home.paths import Home
from graphmem.neo4j_process.home.state import State
from graphmem.progress import SILENT, Progress
from graphmem.settings import Settings
from graphmem.transfer import FORMATS, Format, Row
from memories import memory_with
from neo4j_servers import fresh_home, small, state_of
from small_models import make

OURS = ("NEO4J_", "GRAPHMEM_")
# By which a caller's terminal says what it can do and how wide it is.
TERMINAL = {"COLUMNS", "LINES", "FORCE_COLOR", "NO_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE"}
# Those of the machine, as for the jars.
EXPORTS = Settings().cache / "models"
LIVE_FIXTURES = frozenset(
    {"config", "empty", "environment", "graph", "memory", "own", "private", "real_model"}
)
# Far more than a run takes; a run that was killed leaves its server for so long.
IDLE_MINUTES = 20.0
# A busy machine plans a statement for seconds; no test is about how fast it is.
QUERY_SECONDS = 120.0
# The connection to this run's server, once there is one.
CONNECTED = pytest.StashKey[Graph]()
# A Java each of whose servers has its own JVM; none where the settings' is used.
OWN_JAVA = pytest.StashKey[Path]()

# A busy machine is no reason for a property to fail, nor is a change that has nothing to do with
# it: each run tries the same examples. `make thorough` looks at very many others.
hypothesis.settings.register_profile("graphmem", deadline=None, max_examples=50, derandomize=True)
hypothesis.settings.register_profile(
    "thorough", deadline=None, max_examples=1000, derandomize=False
)
hypothesis.settings.load_profile("graphmem")


def pytest_configure(config: pytest.Config) -> None:
    # Thousands of collected tests are looked at by each full collection of garbage.
    gc.set_threshold(20_000, 20, 20)
    # A run that is told to end stops its server first, as one that is interrupted does.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    # A shell that starts a job in the background has it ignore Ctrl-C, and so all its children.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if not config.getoption("--faults"):  # its table says how long a user's server takes
        neo4j_servers.Homes.place = neo4j_servers.in_memory()
    config.addinivalue_line("markers", "live: needs a Neo4j, the real model or a build")
    config.addinivalue_line("markers", "faults: takes long or needs root; run by make faults")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--faults", action="store_true", help="Run the tests marked faults too.")


# What an experiment with faults found, and the table of all at the end of a run.
__all__ = ["record"]
pytest_terminal_summary = summarise
pytest_configure_node = workers.pass_homes
pytest_unconfigure = workers.stop_servers


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    for item in items:
        if LIVE_FIXTURES.intersection(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.live)
    if not config.getoption("--faults"):
        left_out = [item for item in items if item.get_closest_marker("faults")]
        items[:] = [item for item in items if item not in left_out]
        config.hook.pytest_deselected(items=left_out)
    if workers.is_worker(config):
        workers.order(items)


@pytest.fixture(scope="session", autouse=True)
def session_home(
    pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Path]:
    """The folder of this process's server; every test that names no other gets this one.

    The caller's own settings count for no test, so their server and database are never touched;
    neither does the terminal of the caller.
    """
    run_folder = workers.homes(pytestconfig)
    place = run_folder or neo4j_servers.Homes.place
    base = Path(tempfile.mkdtemp(prefix="graphmem-tests-", dir=place))
    folder = base.resolve() / "home"
    folder.mkdir()
    with pytest.MonkeyPatch.context() as patch:
        for name in [name for name in os.environ if name.startswith(OURS) or name in TERMINAL]:
            patch.delenv(name)
        patch.setenv("TERM", "xterm")
        patch.setenv("GRAPHMEM_HOME", str(folder))
        patch.setenv("GRAPHMEM_IDLE_MINUTES", str(IDLE_MINUTES))
        patch.setenv("GRAPHMEM_QUERY_SECONDS", str(QUERY_SECONDS))
        if not pytestconfig.getoption("--faults"):  # as above
            with suppress(JavaNotFound):  # tests without a server need no Java
                folder_of_java = tmp_path_factory.mktemp("java")
                java = (run_folder or folder_of_java) / "java"
                pytestconfig.stash[OWN_JAVA] = server_java.make(folder_of_java / "own")
                server_java.make_shared(java, run=workers.run(pytestconfig))
                neo4j_servers.Homes.java = java
                patch.setenv("GRAPHMEM_JAVA_HOME", str(java))  # from here on the only Java
        try:
            yield folder
        finally:
            try:
                neo4j_servers.end(folder)
            finally:
                shutil.rmtree(base, ignore_errors=True)


@pytest.fixture(scope="session")
def config(session_home: Path) -> Settings:
    """The settings of this run's private server, which the first to connect starts."""
    return Settings(
        home=session_home,
        java_home=neo4j_servers.Homes.java,
        neo4j_heap="512m",
        idle_minutes=IDLE_MINUTES,
        query_seconds=QUERY_SECONDS,
    )


@pytest.fixture(scope="session")
def environment(graph: Graph) -> dict[str, str]:  # noqa: ARG001 - the server runs, its schema made
    """The environment in which another process uses this run's server."""
    return dict(os.environ)


@pytest.fixture(scope="session")
def graph(config: Settings, pytestconfig: pytest.Config) -> Iterator[Graph]:
    """A connection to this run's server, its schema in place."""
    with connect(config, read_only=False, progress=SILENT) as graph:
        migrations.prepare(graph)
        pytestconfig.stash[CONNECTED] = graph
        yield graph


@pytest.fixture(scope="module", autouse=True)
def nothing_left_for_others(session_home: Path, pytestconfig: pytest.Config) -> Iterator[None]:  # noqa: ARG001 - which ends later
    """What a file wrote for all projects, or deleted of their history, is met by no other file."""
    yield
    graph = pytestconfig.stash.get(CONNECTED, None)
    if graph is not None:
        with graph._session("WRITE") as session:
            session.run(
                "MATCH (entity:Entity) WHERE entity.project IN ['@user', '@system'] "
                "OPTIONAL MATCH (entity)-[:HAS_PASSAGE]->(passage) DETACH DELETE entity, passage"
            ).consume()
            session.run("MATCH (store:Graphmem {id: 'store'}) REMOVE store.history_from").consume()


@pytest.fixture(scope="module")
def jvm() -> None:
    """The JVM of a file's servers: that of the run, unless the file puts `own_jvm` in its place."""


@pytest.fixture(scope="module")
def private(jvm: None) -> Iterator[Settings]:  # noqa: ARG001 - which comes first
    """A small private server of one file's own, which its tests start, stop and take away."""
    with fresh_home() as folder:
        yield small(folder)


@pytest.fixture(scope="module")
def own_jvm(session_home: Path, pytestconfig: pytest.Config) -> Iterator[None]:  # noqa: ARG001 - which makes it
    """Gives each server of a file, by whomever it is started, a JVM of its own, which may crash."""
    with pytest.MonkeyPatch.context() as patch:
        java = pytestconfig.stash.get(OWN_JAVA, None)
        if java is not None:
            patch.setenv("GRAPHMEM_JAVA_HOME", str(java))
        # Nobody searches there, and a JVM that has just started plans a search for seconds.
        patch.setattr(connecting, "preparation", lambda: None)
        yield


@pytest.fixture(scope="module")
def own() -> Iterator[Settings]:
    """A private server of one file's own, whose whole store its tests change."""
    with fresh_home() as folder:
        yield small(folder, query_seconds=QUERY_SECONDS)


@pytest.fixture(scope="module")
def store(own: Settings) -> Iterator[Graph]:
    """A connection to that server, its schema in place."""
    with connect(own, read_only=False, progress=SILENT) as graph:
        migrations.prepare(graph)
        yield graph


@pytest.fixture
def home(private: Settings) -> Home:
    """The home of that server."""
    return Home(private.home)


@pytest.fixture
def running(private: Settings, home: Home) -> State:
    """The state of that server, which runs."""
    neo4j_process.ensure_running(private)
    return state_of(home)


@pytest.fixture
def empty(jvm: None) -> Iterator[Settings]:  # noqa: ARG001 - which comes first
    """A small private server of one test's own, which never ran."""
    with fresh_home() as folder:
        yield small(folder)


@pytest.fixture
def session(graph: Graph) -> Iterator[neo4j.Session]:
    """For what no statement of graphmem does."""
    with graph._session("WRITE") as session:
        yield session


@pytest.fixture
def reads(graph: Graph, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the statements by which a test reads, as they come."""
    names: list[str] = []
    read = graph.read

    def recorded(name: str, **parameters: object) -> list[dict[str, object]]:
        names.append(name)
        return read(name, **parameters)

    monkeypatch.setattr(graph, "read", recorded)
    return names


@pytest.fixture
def project() -> str:
    """A project that no other test knows."""
    return f"example.org/tests/{uuid.uuid4().hex}"


@pytest.fixture
def embedder() -> FakeEmbedder:
    """A model that needs no torch and remembers what it was asked."""
    return FakeEmbedder()


@pytest.fixture
def memory(graph: Graph, embedder: FakeEmbedder, project: str) -> Memory:
    """A memory of an empty project; its embeddings are the fake's."""
    return memory_with(embedder, graph, project)


@pytest.fixture(scope="module")
def memory_of(graph: Graph) -> Callable[[str], Memory]:
    """Makes memories of projects of one's choosing; their embeddings are the fake's."""
    return lambda project: memory_with(FakeEmbedder(), graph, project)


@pytest.fixture(scope="session")
def real_model() -> BackgroundEmbedder:
    """The real default model, loaded."""
    model = local_embedder(DEFAULT_MODEL, exports=EXPORTS, hub=False)
    model.start()
    assert model.wait(), model.reason
    return model


@pytest.fixture(scope="session")
def made_models(pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Small models and the export of one, which nobody changes."""
    return make(workers.homes(pytestconfig) or tmp_path_factory.mktemp("made"))


@pytest.fixture
def whole(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Report]:
    """Imports a folder of JSON lines, in which a line's type is left out, as all there is."""

    def rows(path: Path, progress: Progress) -> Iterator[Row]:
        files = sorted(path.rglob("*.jsonl"))
        progress.advance("Reading files", len(files), len(files))
        for file in files:
            source = file.relative_to(path).as_posix()
            for number, line in enumerate(file.read_text().splitlines(), 1):
                value = json.loads(line)
                row: Entity | Relation = (
                    Relation.from_json(value)
                    if "from" in value
                    else Entity.from_json({"source": source, **value})
                )
                yield Row(f"{source}:{number}", row)

    monkeypatch.setitem(FORMATS, "facts", Format(rows, "all there is", whole=True))
    return partial(memory.import_, "facts")
