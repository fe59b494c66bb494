"""Sets up constraints and indexes from `cypher/schema/`, waits for them and compares them.

`IF NOT EXISTS` hides an index of the same name with another definition, so what is there is
compared with what the files say.
"""

import re
from dataclasses import asdict, dataclass

from graphmem import queries
from graphmem.embedding import ModelIdentity
from graphmem.errors import SchemaMismatch
from graphmem.graph import Graph, Row
from graphmem.progress import SILENT, Progress

VERSION = 1

_NAME = re.compile(r"CREATE (VECTOR INDEX|FULLTEXT INDEX|INDEX|CONSTRAINT) (graphmem_\w+)")
_LABEL = re.compile(r"\nFOR \(\w+:(\w+)\)")
_PROPERTY = re.compile(r"\b(?:entity|passage|store)\.(\w+)")
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


def wanted() -> tuple[Definition, ...]:
    """The definitions that the files of `cypher/schema/` make, in their order."""
    return tuple(_definition(queries.load(name).text) for name in queries.names("schema"))


def ensure(graph: Graph, *, seconds: int = 600, progress: Progress = SILENT) -> None:
    """Make what is missing, wait until it is online, and compare it with what is wanted.

    Idempotent; two processes may do it at once. A store that is complete costs one query.

    Raises:
        SchemaMismatch: Something of ours has another definition or failed.
    """
    definitions = wanted()
    if _complete(graph, definitions):
        return
    for name in queries.names("schema"):
        graph.define(name)
    for definition in definitions:
        if not _complete(graph, [definition]):
            progress.say(f"Waiting until the index {definition.name} is online …")
            graph.define("read/await_index", name=definition.name, seconds=seconds)
    problems = check(graph)
    if problems:
        raise SchemaMismatch("; ".join(problems))


def check(graph: Graph) -> list[str]:
    """Compare what is there with what is wanted: a sentence for each difference."""
    found = {row["name"]: row for row in graph.read("read/indexes")}
    return [
        problem
        for definition in wanted()
        if (problem := _difference(definition, found.get(definition.name))) is not None
    ]


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


def _complete(graph: Graph, definitions: "tuple[Definition, ...] | list[Definition]") -> bool:
    found = {row["name"]: row for row in graph.read("read/indexes")}
    return all(
        _difference(definition, found.get(definition.name)) is None for definition in definitions
    )


def _difference(definition: Definition, row: Row | None) -> str | None:
    if row is None:
        return f"the index {definition.name} is missing; `graphmem doctor` makes it"
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
        f"the index {definition.name} differs: it is {there}, wanted is {definition}; "
        f"drop it and run `graphmem doctor`"
    )
