"""Sets up constraints and indexes, waits for them and compares them with their definitions.

`IF NOT EXISTS` hides an index of the same name with another definition, so what is there is
compared with the table of definitions. The text indexes that are there say which languages a store
has.
"""

import time
from collections.abc import Mapping, Sequence

from graphmem.errors import DatabaseError, SchemaMismatch, listed
from graphmem.graph import Graph, Row, Transaction
from graphmem.model.language import DEFAULT, NAMES, Language, index_name
from graphmem.progress import SILENT, Progress
from graphmem.schema.definitions import FIXED, SLOTS, Definition, fixed, of_language
from graphmem.schema.model import stored_models

# Seconds between two looks at indexes that are being filled; they double up to one.
FIRST_PAUSE = 0.05
# The longest that indexes are waited for.
FILL_SECONDS = 3600
_LOCK = index_name("lock")


def ensure(
    graph: Graph,
    languages: Sequence[str] = DEFAULT,
    *,
    embedding_set: int | None = None,
    progress: Progress = SILENT,
) -> Mapping[str, Row]:
    """Make the indexes that are missing, wait until they are online, and compare their definitions.

    An index as an earlier version made it is dropped and made again. Idempotent; several processes
    may do it at once. A store that is complete costs one query.

    Args:
        graph: The store.
        languages: Those of a new store; one that has languages keeps them, see `remake`.
        embedding_set: The number of the set of embeddings that is searched, where it was just read.
        progress: Receives the progress of the waiting.

    Returns:
        The indexes there are, by name, for `languages`.

    Raises:
        SchemaMismatch: Something of ours has another definition or failed.
    """
    if embedding_set is not None:
        indexes = _indexes(graph)
        if not _problems(indexes, embedding_set):
            return indexes
    # Read before the indexes: an earlier set's index is dropped only after the store notes the
    # next.
    embedding_set = stored_models(graph).number
    indexes = _indexes(graph)
    if not _problems(indexes, embedding_set):
        return indexes
    graph.define("write/register_names")
    _replace_former(graph, indexes)
    for definition in fixed(embedding_set):
        graph.define(definition.statement)
    if not _languages(_indexes(graph)):
        _make_first_indexes(graph, languages)
    return _require_online(graph, progress)


def check(graph: Graph) -> list[str]:
    """Compare the indexes with their definitions: a sentence for each difference."""
    number = stored_models(graph).number
    return list(_problems(_indexes(graph), number).values())


def has_indexes(graph: Graph) -> bool:
    """Tell whether a database has any index of ours."""
    return bool(_indexes(graph))


def languages(graph: Graph, indexes: Mapping[str, Row] | None = None) -> tuple[Language, ...]:
    """The languages a store's texts are indexed in, by name; none for a store without indexes.

    Args:
        graph: The store.
        indexes: What `ensure` has just given; without it they are read.
    """
    names = _languages(_indexes(graph) if indexes is None else indexes)
    rows = graph.read("read/stop_words", analyzers=list(names)) if names else []
    return tuple(
        Language(row["analyzer"], frozenset(word.casefold() for word in row["stop_words"]))
        for row in rows
    )


def differing(store_languages: Sequence[Language], configured: Sequence[str]) -> str | None:
    """A sentence where a store's languages are not those of the settings."""
    names = [language.name for language in store_languages]
    if not names or set(names) == set(configured):
        return None
    return (
        f"the store is indexed in {listed(names)}, but GRAPHMEM_LANGUAGES names "
        f"{listed(configured)}; run `graphmem db reindex` to rebuild the text indexes"
    )


def remake(
    graph: Graph, languages: Sequence[str], *, progress: Progress = SILENT
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
    added_languages, dropped_languages = graph.alter(
        lambda transaction: _remake_indexes(transaction, _locked_indexes(transaction), languages)
    )
    _require_online(graph, progress)
    return added_languages, dropped_languages


def _indexes(graph: Graph) -> dict[str, Row]:
    return {row["name"]: row for row in graph.read("read/indexes")}


def _languages(indexes: Mapping[str, Row]) -> tuple[str, ...]:
    return tuple(name for name in NAMES if index_name(name) in indexes)


def _problems(indexes: Mapping[str, Row], embedding_set: int) -> dict[str, str]:
    """A sentence for each index that is not as it should be, by its name."""
    store_languages = _languages(indexes)
    definitions = [
        *fixed(embedding_set),
        *(_fitting(name, indexes[index_name(name)]) for name in store_languages),
    ]
    problems = {
        definition.name: problem
        for definition in definitions
        if (problem := difference(definition, indexes.get(definition.name))) is not None
    }
    if not store_languages:
        problems[index_name("*")] = "there is no text index; run `graphmem db reindex`"
    return problems


def _fitting(language: str, row: Row) -> Definition:
    """The definition of the index of a language, in the order of properties that the index has."""
    properties = tuple(row["properties"])
    slot = next((slot for slot in SLOTS if slot.properties == properties), SLOTS[0])
    return of_language(language, slot)


def _former_definitions(indexes: Mapping[str, Row]) -> list[Definition]:
    """The indexes that are as an earlier version made them."""
    return [
        definition
        for definition in FIXED
        if definition.name in indexes
        and tuple(indexes[definition.name]["properties"]) in definition.former
    ]


def _replace_former(graph: Graph, indexes: Mapping[str, Row]) -> None:
    """Drop what an earlier version made and make it again, in one transaction."""

    def work(transaction: Transaction) -> None:
        for definition in _former_definitions(
            {row["name"]: row for row in transaction.run("read/indexes")}
        ):
            transaction.run("schema/drop_index", name=definition.name)
            transaction.run(definition.statement)

    if not _former_definitions(indexes):
        return
    try:
        graph.alter(work)
    except DatabaseError:
        # Another process may just have done it.
        if _former_definitions(_indexes(graph)):
            raise


def _make_first_indexes(graph: Graph, languages: Sequence[str]) -> None:
    """Make the text indexes of a new store; the process that comes first decides its languages."""

    def work(transaction: Transaction) -> None:
        indexes = _locked_indexes(transaction)
        if not _languages(indexes):
            _remake_indexes(transaction, indexes, languages)

    graph.alter(work)


def _locked_indexes(transaction: Transaction) -> dict[str, Row]:
    """Wait for those who change the text indexes, have others wait, and read the indexes.

    What another transaction is committing would be seen index by index without the lock.
    """
    transaction.run("schema/lock_text_indexes", name=_LOCK)
    transaction.run("schema/drop_index", name=_LOCK)
    return {row["name"]: row for row in transaction.run("read/indexes")}


def _remake_indexes(
    transaction: Transaction, indexes: Mapping[str, Row], languages: Sequence[str]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    kept_indexes: dict[str, Row] = {}
    for language in _languages(indexes):
        row = indexes[index_name(language)]
        problem = difference(_fitting(language, row), row | {"state": "ONLINE"})
        if language in languages and problem is None and row["state"] != "FAILED":
            kept_indexes[language] = row
        else:
            transaction.run("schema/drop_index", name=index_name(language))
    used_properties = {tuple(row["properties"]) for row in kept_indexes.values()}
    free_slots = [slot.statement for slot in SLOTS if slot.properties not in used_properties]
    added_languages = tuple(language for language in languages if language not in kept_indexes)
    for language, slot in zip(added_languages, free_slots, strict=False):
        transaction.run(slot, name=index_name(language), analyzer=language)
    return added_languages, tuple(
        language for language in _languages(indexes) if language not in languages
    )


def _require_online(graph: Graph, progress: Progress) -> Mapping[str, Row]:
    """Wait until no index is being filled, and compare the indexes of that moment.

    They are not read again for that: another process may begin to fill an index meanwhile.
    """
    number = stored_models(graph).number
    indexes = await_filled(graph, progress)
    problems = _problems(indexes, number)
    if problems:
        # The indexes that another process is committing at this moment are seen one by one.
        time.sleep(FIRST_PAUSE)
        indexes = await_filled(graph, progress)
        problems = _problems(indexes, number)
    if problems:
        raise SchemaMismatch("; ".join(problems.values()))
    return indexes


def await_filled(graph: Graph, progress: Progress) -> dict[str, Row]:
    """The indexes once none is being filled, or as they are after an hour.

    Looks again and again: a transaction may not wait as long as a large index takes.
    """
    over = time.monotonic() + FILL_SECONDS
    filling: dict[str, None] = {}
    pause = FIRST_PAUSE
    while True:
        indexes = _indexes(graph)
        filling |= {name: None for name, row in indexes.items() if row["state"] == "POPULATING"}
        for name in filling:
            done = min(99, int(indexes[name]["percent"])) if _is_filling(indexes, name) else 100
            progress.advance(f"Filling the index {name}", done, 100)
        filling = {name: None for name in filling if _is_filling(indexes, name)}
        if not filling or time.monotonic() > over:
            return indexes
        time.sleep(pause)
        pause = min(1.0, pause * 2)


def _is_filling(indexes: Mapping[str, Row], name: str) -> bool:
    return name in indexes and indexes[name]["state"] == "POPULATING"


def difference(definition: Definition, row: Row | None) -> str | None:
    """A sentence where an index is not as it is defined."""
    if row is None:
        return f"the index {definition.name} is missing; run `graphmem db reindex` to create it"
    if row["state"] != "ONLINE":
        detail = f": {row['failure']}" if row["failure"] else ""
        return f"the index {definition.name} is {row['state']}{detail}"
    options = {key: str(value).upper() for key, value in row["options"]["indexConfig"].items()}
    actual = Definition(
        name=row["name"],
        type=row["type"],
        label=row["labels"][0],
        properties=tuple(row["properties"]),
        options=tuple((key, options.get(key, "")) for key, _ in definition.options),
    )
    if actual == definition:
        return None
    return (
        f"the index {definition.name} is {actual}, but must be {definition}; "
        "drop it and run `graphmem db reindex`"
    )
