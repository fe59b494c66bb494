"""`graphmem doctor`: checks what graphmem needs, one thing after the other."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Annotated

from cyclopts import Parameter
from rich.text import Text

from graphmem import migrations, neo4j_process, schema, write
from graphmem import project as projects
from graphmem.cli import output, session
from graphmem.cli.options import Json, Project
from graphmem.cli.progress import ProgressDisplay
from graphmem.embedding import (
    DEFAULT_MODEL,
    DEFAULT_REVISION,
    BackgroundEmbedder,
    Endpoint,
    configured_reranker,
    is_calibrated,
)
from graphmem.errors import (
    ASK_DOCTOR,
    ConfigurationError,
    DatabaseUnavailable,
    GraphmemError,
    SchemaMismatch,
    listed,
    quantity,
)
from graphmem.graph import Graph, Target
from graphmem.memory.store.connecting import connect
from graphmem.memory.store.languages import differing
from graphmem.memory.store.model import StoreModel
from graphmem.model.json_object import JsonObject
from graphmem.model.visible import visible
from graphmem.neo4j_process import checks
from graphmem.neo4j_process.machine.java import find_java
from graphmem.read import stats
from graphmem.settings import Settings, ineffective


@dataclass(frozen=True, slots=True)
class Check(JsonObject):
    """The result of a check: a sentence, which also says the next step if something is wrong."""

    name: str
    ok: bool
    message: str


def doctor(
    *,
    project: Project = None,
    repair: Annotated[
        bool, Parameter(help="Repair what was changed by hand.", negative=())
    ] = False,
    json: Json = False,
) -> int:
    """Check what graphmem needs, and say how to fix what is wrong.

    This starts the private Neo4j, creates missing indexes and embeds passages that
    wait for the model. It counts what was changed by hand in Cypher, in all
    projects; with --repair, it repairs what depends on these changes. The exit code
    is 1 if something is wrong.
    """
    out = None if json else output.TextOutput()
    results: list[Check] = []
    with ProgressDisplay() as progress:
        for check in _checks(project, progress, repairs=repair):
            results.append(check)
            progress.finish()
            if out is not None:
                mark = ("✓ ", "green") if check.ok else ("✗ ", "red")
                head = Text.assemble(mark, (check.name, "bold"))
                out.write(visible(check.message), indent=12, head=head)
    ok = all(check.ok for check in results)
    if json:
        output.document({"ok": ok, "checks": [check.to_json() for check in results]})
    return 0 if ok else 1


def _checks(project: str | None, progress: ProgressDisplay, *, repairs: bool) -> Iterator[Check]:
    try:
        config = session.configure(warns=False)  # the first check names them
    except GraphmemError as error:
        yield Check("settings", ok=False, message=str(error))
        return
    yield _run_check("settings", lambda: _settings(config))
    project_name, detected = _project(config, project)
    yield detected
    if config.neo4j_uri is None:
        yield _run_check("Java", lambda: _java(config))
        yield _run_check(
            "jars",
            lambda: f"Neo4j's jars in {neo4j_process.fetch_jars(config, progress=progress)}",
        )
        home = _run_check("home", lambda: checks.check_home(config))
        yield home
        if not home.ok:
            return
    try:
        graph = connect(config, read_only=False, progress=progress)
    except GraphmemError as error:
        yield Check("server", ok=False, message=_cure(config, error))
        return
    with graph:
        yield from _store_checks(config, graph, project_name, progress, repairs=repairs)


def _store_checks(
    config: Settings, graph: Graph, project: str | None, progress: ProgressDisplay, *, repairs: bool
) -> Iterator[Check]:
    answers = _run_check("server", lambda: _answers(config, graph))
    yield answers
    if not answers.ok:
        return
    complete = _run_check("schema", lambda: _schema(config, graph, progress))
    yield complete
    if not complete.ok:
        return
    yield _languages(config, graph)
    yield _run_check("content", lambda: _content(graph, progress, repairs=repairs))
    progress.say("Loading the embedding model …")
    try:
        embedder = session.embedder(config, soon=True, say=progress.say)
    except GraphmemError as error:
        yield Check("model", ok=False, message=_without_advice(error))
        return
    model = StoreModel(graph, embedder, wait_for_model=True, read_only=False)
    model.embedder.wait(config.model_seconds)
    reason = model.reason() or _other_weights(config, model)
    if reason is None and isinstance(embedder, BackgroundEmbedder):  # not one of a caller's own
        reason = embedder.missing_export
    yield Check("model", ok=reason is None, message=reason or _model(config, model))
    if config.reranker is not None:
        yield _reranker(config, progress)
    if project is not None:
        yield _run_check("passages", lambda: _passages(graph, model, project, progress))


def _run_check(name: str, check: Callable[[], str]) -> Check:
    try:
        return Check(name, ok=True, message=check())
    except GraphmemError as error:
        return Check(name, ok=False, message=_without_advice(error))


def _without_advice(error: GraphmemError) -> str:
    """An error without the advice to run this very command."""
    return str(error).removesuffix(ASK_DOCTOR)


def _cure(config: Settings, error: GraphmemError) -> str:
    """Why no server answers, and what to do."""
    if isinstance(error, DatabaseUnavailable) and config.neo4j_uri is not None:
        return f"{_without_advice(error)}: start that server, or correct NEO4J_URI"
    if isinstance(error, DatabaseUnavailable):
        failure = neo4j_process.status(config).last_failure
        return (
            f"{_without_advice(error)}: {failure.cause if failure else 'see `graphmem db status`'}"
        )
    return _without_advice(error)


def _settings(config: Settings) -> str:
    if sentences := ineffective.sentences():
        raise ConfigurationError("; ".join(sentences))
    return _server_choice(config)


def _server_choice(config: Settings) -> str:
    if config.neo4j_uri is None:
        return f"NEO4J_URI is not set, so graphmem uses a private Neo4j in {config.home}"
    target = Target(config.neo4j_uri, config.neo4j_username, None, config.neo4j_database)
    return f"NEO4J_URI is set to {target.address}, database {config.neo4j_database}"


def _project(config: Settings, project: str | None) -> tuple[str | None, Check]:
    try:
        detection = projects.detect(given=project, setting=config.project)
    except GraphmemError as error:
        return None, Check("project", ok=False, message=str(error))
    place = f" of {detection.folder}" if detection.folder else ""
    return detection.name, Check(
        "project", ok=True, message=f"{detection.name} ({detection.source}{place})"
    )


def _java(config: Settings) -> str:
    java = find_java(config)
    slowness = "; Neo4j cannot use its vector module, so searches are slower"
    return f"Java {java.major} in {java.home}{'' if java.has_vectors else slowness}"


def _answers(config: Settings, graph: Graph) -> str:
    try:
        graph.read("read/ping")
    except GraphmemError as error:
        raise GraphmemError(_cure(config, error)) from error
    failure = None if config.neo4j_uri else neo4j_process.status(config).last_failure
    if failure is None:
        return "answers"
    return f"answers; its last failure was on {failure.time:%Y-%m-%d at %H:%M} UTC: {failure.cause}"


def _schema(config: Settings, graph: Graph, progress: ProgressDisplay) -> str:
    earlier_problems = schema.check(graph)
    earlier_version = migrations.noted_version(graph)
    migrations.prepare(graph, config.languages, progress=progress)
    if problems := schema.check(graph):
        raise SchemaMismatch("; ".join(problems))
    count = len(schema.definitions([language.name for language in schema.languages(graph)]))
    creation_note = f", {len(earlier_problems)} of them created now" if earlier_problems else ""
    is_older = earlier_version is not None and earlier_version < migrations.VERSION
    upgrade_note = f", brought up to date from version {earlier_version}" if is_older else ""
    return (
        f"{count} indexes and constraints are online{creation_note}; the store has version "
        f"{migrations.VERSION}{upgrade_note}"
    )


def _content(graph: Graph, progress: ProgressDisplay, *, repairs: bool) -> str:
    """What was changed by hand, and whether it was repaired."""
    report = write.repair(graph, writes=repairs, progress=progress)
    unrepaired = f"; left as they are: {'; '.join(report.unrepaired)}" if report.unrepaired else ""
    if report.total and not repairs:
        changes = quantity(report.total, "thing was", "things were")
        raise GraphmemError(
            f"{changes} changed by hand or stored by an earlier version ({report}); "
            f"`graphmem doctor --repair` repairs "
            f"{'it' if report.total == 1 else 'them'}{unrepaired}"
        )
    repaired = f"repaired what was changed by hand or stored by an earlier version ({report})"
    message = repaired if report.total else "consistent"
    if unrepaired:
        raise GraphmemError(f"{message}{unrepaired}")
    return message


def _languages(config: Settings, graph: Graph) -> Check:
    languages = schema.languages(graph)
    reason = differing(languages, config)
    sentence = f"texts are indexed in {listed([language.name for language in languages])}"
    return Check("languages", ok=reason is None, message=reason or sentence)


def _model(config: Settings, model: StoreModel) -> str:
    identity = model.embedder.identity()
    description = f"{identity.name} ({identity.revision}), {identity.dimensions} dimensions"
    if (endpoint := Endpoint.of(config)) is not None:
        description += f", at {endpoint.place}"
    if is_calibrated(identity.name):
        return description
    range_note = f"its cosines are not calibrated; small projects use the range of {DEFAULT_MODEL}"
    return f"{description}; {range_note}"


def _reranker(config: Settings, progress: ProgressDisplay) -> Check:
    progress.say("Loading the reranker …")
    reranker = configured_reranker(config, waits=True)
    if reranker is None or reranker.wait(config.model_seconds):
        return Check("reranker", ok=True, message=f"{config.reranker} orders the best hits")
    return Check("reranker", ok=False, message=reranker.reason or "it is not ready")


def _other_weights(config: Settings, model: StoreModel) -> str | None:
    identity = model.embedder.identity()
    is_default = config.embedding_url is None and config.model == DEFAULT_MODEL
    if not is_default or identity.revision == DEFAULT_REVISION:
        return None
    return (
        f"the weights of {identity.name} ({identity.revision}) are not the expected ones "
        f"({DEFAULT_REVISION}): remove the model from the hub's cache, or set GRAPHMEM_MODEL to "
        "the path of the folder to use"
    )


def _passages(graph: Graph, model: StoreModel, project: str, progress: ProgressDisplay) -> str:
    pending = stats(graph, project).pending
    passages = quantity(pending, "passage", "passages")
    if pending and model.reason() is None:
        if problems := model.fill(progress):
            raise GraphmemError(problems[0])
        are_embedded = "is embedded" if pending == 1 else "are embedded"
        return f"{passages} of {project} waited for the model and {are_embedded} now"
    if pending:
        wait, they_are = ("waits", "it is") if pending == 1 else ("wait", "they are")
        raise GraphmemError(
            f"{passages} of {project} {wait} for the model; until it works, {they_are} found by "
            "words only"
        )
    return f"all passages of {project} are embedded"
