"""Sets up constraints and indexes from `cypher/schema/`, waits for them and compares them.

`IF NOT EXISTS` hides an index of the same name with another definition, so what is there is
compared with what the files say. The text indexes that are there say which languages a store has.
"""

import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace

from graphmem import queries
from graphmem.embedding import ModelIdentity
from graphmem.errors import DatabaseError, SchemaMismatch
from graphmem.graph import Graph, Row, Transaction
from graphmem.model.language import DEFAULT, NAMES, Language, index_name, listed
from graphmem.progress import SILENT, Progress

VERSION = 1
# Seconds between two looks at indexes that are being filled; they double up to one.
FIRST_PAUSE = 0.05

_NAME = re.compile(r"CREATE (VECTOR INDEX|FULLTEXT INDEX|INDEX|CONSTRAINT) (graphmem_\w+|\$name)")
_LABEL = re.compile(r"\nFOR \(\w+:(\w+)\)")
_PROPERTY = re.compile(r"\b(?:entity|passage|store|request)\.(\w+)")
_OPTION = re.compile(r"`([\w.]+)`: ([^,\s}]+)")
_TYPES = {
    "VECTOR INDEX": "VECTOR",
    "FULLTEXT INDEX": "FULLTEXT",
    "INDEX": "RANGE",
    "CONSTRAINT": "RANGE",
}


@dataclass(frozen=True, slots=True)
class Definition:
    """What an index is, as far as graphmem cares."""

    name: str
    type: str
    label: str
    properties: tuple[str, ...]
    options: tuple[tuple[str, str], ...]


def wanted(languages: Sequence[str] = DEFAULT) -> tuple[Definition, ...]:
    """The definitions that the files of `cypher/schema/` make, those of languages last."""
    fixed = [_definition(queries.load(name).text) for name in _fixed()]
    slots = [
        _of_language(language, slot) for language, slot in zip(languages, _slots(), strict=False)
    ]
    return (*fixed, *slots)


def ensure(
    graph: Graph,
    languages: Sequence[str] = DEFAULT,
    *,
    seconds: float = 3600,
    progress: Progress = SILENT,
) -> None:
    """Make what is missing, wait until it is online, and compare it with what is wanted.

    Idempotent; several processes may do it at once. A store that is complete costs one query.

    Args:
        graph: The store.
        languages: Those of a new store; one that has languages keeps them, see `remake`.
        seconds: How long indexes are waited for.
        progress: Hears of the waiting.

    Raises:
        SchemaMismatch: Something of ours has another definition or failed.
    """
    if not _problems(_found(graph)):
        return
    for name in _fixed():
        graph.define(name)
    if not _languages(_found(graph)):
        _first(graph, languages)
    _wait(graph, seconds=seconds, progress=progress)
    problems = check(graph)
    if problems:
        raise SchemaMismatch("; ".join(problems))


def check(graph: Graph) -> list[str]:
    """Compare what is there with what is wanted: a sentence for each difference."""
    return list(_problems(_found(graph)).values())


def languages(graph: Graph) -> tuple[Language, ...]:
    """The languages a store's texts are indexed in, by name; none for a store without indexes."""
    names = _languages(_found(graph))
    rows = graph.read("read/stop_words", analyzers=list(names)) if names else []
    return tuple(
        Language(row["analyzer"], frozenset(word.casefold() for word in row["stop_words"]))
        for row in rows
    )


def differing(there: Sequence[Language], asked: Sequence[str]) -> str | None:
    """A sentence where a store's languages are not those of the settings."""
    names = [one.name for one in there]
    if not names or set(names) == set(asked):
        return None
    return (
        f"the store is indexed in {listed(names)}, but GRAPHMEM_LANGUAGES names {listed(asked)}; "
        "run `graphmem db reindex` to rebuild the text indexes"
    )


def remake(
    graph: Graph,
    languages: Sequence[str],
    *,
    seconds: float = 3600,
    progress: Progress = SILENT,
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Index a store in these languages and no other, and wait until that is done.

    One transaction drops and makes: another process sees all of it or nothing. An index that is
    right stays.

    Returns:
        The languages whose index was made, and those whose index was dropped.

    Raises:
        SchemaMismatch: An index could not be filled.
    """
    progress.say(f"Creating the text indexes for {listed(languages)} …")
    made, dropped = graph.alter(lambda transaction: _remade(transaction, languages))
    _wait(graph, seconds=seconds, progress=progress)
    problems = check(graph)
    if problems:
        raise SchemaMismatch("; ".join(problems))
    return made, dropped


def note_model(graph: Graph, identity: ModelIdentity) -> ModelIdentity:
    """Note the model a store is made with, the first time; gives the model that is noted."""
    properties = asdict(identity)
    rows = graph.write(
        lambda transaction: transaction.run(
            "write/put_store",
            properties={f"model_{name}": value for name, value in properties.items()}
            | {"schema_version": VERSION},
        )
    )
    return _identity(rows[0]["store"])


def noted_model(graph: Graph) -> ModelIdentity | None:
    """The model a store was made with, or None when nothing was embedded yet."""
    rows = graph.read("read/store")
    return _identity(rows[0]["store"]) if rows else None


def _identity(store: Row) -> ModelIdentity:
    return ModelIdentity(
        name=store["model_name"],
        revision=store["model_revision"],
        dimensions=store["model_dimensions"],
        template=store["model_template"],
    )


def _fixed() -> list[str]:
    """The statements that make what every store has."""
    return [name for name in queries.names("schema") if not queries.load(name).parameters]


def _slots() -> list[str]:
    """The statements that make an index of any language, each over another order of properties."""
    takes = {"name", "analyzer"}
    return [name for name in queries.names("schema") if queries.load(name).parameters == takes]


def _found(graph: Graph) -> dict[str, Row]:
    return {row["name"]: row for row in graph.read("read/indexes")}


def _languages(found: Mapping[str, Row]) -> tuple[str, ...]:
    return tuple(name for name in NAMES if index_name(name) in found)


def _problems(found: Mapping[str, Row]) -> dict[str, str]:
    """A sentence for each index that is not as it should be, by its name."""
    there = _languages(found)
    definitions = [*wanted(()), *(_fitting(name, found[index_name(name)]) for name in there)]
    problems = {
        definition.name: problem
        for definition in definitions
        if (problem := _difference(definition, found.get(definition.name))) is not None
    }
    if not there:
        problems[index_name("*")] = "there is no text index; run `graphmem db reindex`"
    return problems


def _fitting(language: str, row: Row) -> Definition:
    """What the index of a language should be, over the order of properties that it has."""
    all_slots = [_of_language(language, slot) for slot in _slots()]
    there = tuple(row["properties"])
    return next((one for one in all_slots if one.properties == there), all_slots[0])


def _of_language(language: str, slot: str) -> Definition:
    return replace(
        _definition(queries.load(slot).text),
        name=index_name(language),
        options=(("fulltext.analyzer", language.upper()),),
    )


def _first(graph: Graph, languages: Sequence[str]) -> None:
    """Make the languages of a new store; whoever is first decides them."""
    try:
        graph.alter(lambda transaction: _remade(transaction, languages))
    except DatabaseError:
        if not _languages(_found(graph)):
            raise


def _remade(
    transaction: Transaction, languages: Sequence[str]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    found = {row["name"]: row for row in transaction.run("read/indexes")}
    right: dict[str, Row] = {}
    for language in _languages(found):
        row = found[index_name(language)]
        problem = _difference(_fitting(language, row), row | {"state": "ONLINE"})
        if language in languages and problem is None and row["state"] != "FAILED":
            right[language] = row
        else:
            transaction.run("schema/drop_index", name=index_name(language))
    taken = {tuple(row["properties"]) for row in right.values()}
    free = [slot for slot in _slots() if _of_language("", slot).properties not in taken]
    made = tuple(language for language in languages if language not in right)
    for language, slot in zip(made, free, strict=False):
        transaction.run(slot, name=index_name(language), analyzer=language)
    return made, tuple(language for language in _languages(found) if language not in languages)


def _wait(graph: Graph, *, seconds: float, progress: Progress) -> None:
    """Look again and again: a transaction may not wait as long as a large index takes."""
    over = time.monotonic() + seconds
    filling: dict[str, None] = {}
    pause = FIRST_PAUSE
    while True:
        found = _found(graph)
        filling |= {name: None for name, row in found.items() if row["state"] == "POPULATING"}
        for name in filling:
            done = min(99, int(found[name]["percent"])) if _is_filling(found, name) else 100
            progress.advance(f"Filling the index {name}", done, 100)
        filling = {name: None for name in filling if _is_filling(found, name)}
        if not filling or time.monotonic() > over:
            return
        time.sleep(pause)
        pause = min(1.0, pause * 2)


def _is_filling(found: Mapping[str, Row], name: str) -> bool:
    return name in found and found[name]["state"] == "POPULATING"


def _definition(text: str) -> Definition:
    body = "\n".join(line for line in text.splitlines() if not line.startswith("//"))
    name, label = _NAME.search(body), _LABEL.search(body)
    if name is None or label is None:
        raise AssertionError(f"a schema file makes one index or constraint:\n{text}")
    return Definition(
        name=name[2],
        type=_TYPES[name[1]],
        label=label[1],
        properties=tuple(_PROPERTY.findall(body)),
        options=tuple((key, value.strip("'").upper()) for key, value in _OPTION.findall(body)),
    )


def _difference(definition: Definition, row: Row | None) -> str | None:
    if row is None:
        return f"the index {definition.name} is missing; run `graphmem db reindex` to create it"
    if row["state"] != "ONLINE":
        detail = f": {row['failure']}" if row["failure"] else ""
        return f"the index {definition.name} is {row['state']}{detail}"
    options = {key: str(value).upper() for key, value in row["options"]["indexConfig"].items()}
    there = Definition(
        name=row["name"],
        type=row["type"],
        label=row["labels"][0],
        properties=tuple(row["properties"]),
        options=tuple((key, options.get(key, "")) for key, _ in definition.options),
    )
    if there == definition:
        return None
    return (
        f"the index {definition.name} is {there}, but should be {definition}; "
        f"drop it and run `graphmem db reindex`"
    )
