"""Finds what was changed by hand in a store and repairs it, a batch of entities at a time."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from graphmem import statements, text
from graphmem.batches import TRANSACTION_BYTES, batches
from graphmem.errors import shortened
from graphmem.graph import Graph, Reader, Row, Transaction
from graphmem.model import limits
from graphmem.progress import SILENT, Progress
from graphmem.project import is_project_name
from graphmem.write.assertions.weight import stored_weights
from graphmem.write.embeddings.searched_set import stored_models
from graphmem.write.repair.comparing import EntityRepair, compare
from graphmem.write.repair.comparing_relations import compare_relations

KEYLESS = "entities made without a key"
RENAMED = "entities whose name was changed, so that the new name did not find them"
STRAY = "passages without an entity"

# Entities that are read and compared together, and what one transaction writes of each sort.
PAGE = 500
ROWS = 1000
# Entities that cannot be put right are told one by one up to so many.
MOST_LEFT = 20


@dataclass(frozen=True, slots=True)
class Repair:
    """What was found in a store.

    Args:
        counts: How many of each sort can be put right, or were.
        unrepaired: Why some things were left as they are, a sentence each.
        new_keys: The keys that entities were given, of which nothing else is counted.
    """

    counts: Counter[str] = field(default_factory=Counter)
    unrepaired: list[str] = field(default_factory=list)
    new_keys: set[str] = field(default_factory=set)

    @property
    def total(self) -> int:
        """How many there are of all sorts."""
        return self.counts.total()

    def __str__(self) -> str:
        """Write it for people: every sort with its number, the commonest first."""
        return "; ".join(f"{sort}: {count:,}" for sort, count in self.counts.most_common())


def repair(graph: Graph, *, writes: bool, progress: Progress = SILENT) -> Repair:
    """Compare a whole store, all projects together, with what graphmem would have written.

    Idempotent, and several processes may do it at once: what is put right is locked and compared
    again first. A kill loses the transaction in hand and no more.

    Args:
        graph: The store.
        writes: Whether what is found is put right; otherwise it is only counted.
        progress: Hears how many entities are compared.
    """
    result = Repair()
    _keys(graph, result, writes=writes)
    total, done, after = int(graph.read("read/store_counts")[0]["entities"]), 0, ""
    while rows := graph.read("read/entity_keys", after=after, limit=PAGE):
        # A key without a project is none, and is replaced.
        keys = [row["key"] for row in rows if "#" in row["key"]]
        weights = stored_weights(graph, keys)
        for batch in batches(
            sorted(weights), weights.__getitem__, most=PAGE, most_bytes=TRANSACTION_BYTES
        ):
            _entities(graph, batch, result, writes=writes)
            _relations(graph, batch, result, writes=writes)
        after, done = rows[-1]["key"], done + len(rows)
        progress.advance("Comparing entities", min(done, total - 1), total)
    _strays(graph, result, writes=writes)
    progress.advance("Comparing entities", total, total)
    return result


def _keys(graph: Graph, result: Repair, *, writes: bool) -> None:
    """Give entities without a key the one of their project and name, where it is free."""
    rows = graph.read("read/keyless_entities", limit=ROWS)
    rows_by_key: dict[str, Row] = {}
    for row in rows:
        key = _key_of(row)
        if key is None:
            _note_leftover(
                result,
                f"an entity without a project or a name that is allowed ({row['element']}): give "
                "it both",
            )
        elif key in rows_by_key:
            _note_leftover(result, _duplicate_sentence(key))
        else:
            rows_by_key[key] = row | {"key": key}
    taken_keys = {row["key"] for row in graph.read("read/sizes", keys=sorted(rows_by_key))}
    for key in sorted(taken_keys):
        _note_leftover(result, _duplicate_sentence(key))
    free_rows = [row for key, row in sorted(rows_by_key.items()) if key not in taken_keys]
    result.counts.update({KEYLESS: len(free_rows)} if free_rows else {})
    if free_rows and writes:
        key_rows = [{"element": row["element"], "key": row["key"]} for row in free_rows]
        graph.run("write/give_keys", rows=key_rows)
        result.new_keys.update(row["key"] for row in free_rows)


def _key_of(row: Row) -> str | None:
    name = limits.or_none(limits.name, row["name"])
    project = limits.or_none(limits.label, row["project"])
    if name is None or project is None or not is_project_name(project):
        return None
    return text.key(project, name)


def _duplicate_sentence(key: str) -> str:
    project, _, name = key.partition("#")
    return (
        f"a second entity {shortened(name)} in {project}, without a key: move what it says to the "
        "first, and delete it"
    )


def _note_leftover(result: Repair, sentence: str) -> None:
    if len(result.unrepaired) < MOST_LEFT:
        result.unrepaired.append(sentence)


def _entities(graph: Graph, keys: Sequence[str], result: Repair, *, writes: bool) -> None:
    """Compare entities, once more where something differs, and write again what still does.

    A read may see half of what another process is committing; the locks keep that away.
    """
    repairs, redirects = _compared(graph, keys, result)
    differing_keys = sorted(repairs.keys() | {row["target"] for row in redirects})
    if not differing_keys:
        return
    repairs, redirects = graph.write(
        lambda transaction: _compared_again(transaction, differing_keys, writes=writes)
    )
    for key, repair in repairs.items():
        result.counts.update({} if key in result.new_keys else repair.sorts)
    result.counts.update({RENAMED: len(redirects)} if redirects else {})


def _compared(
    reader: Reader, keys: Sequence[str], result: Repair | None = None
) -> tuple[dict[str, EntityRepair], list[Row]]:
    """The repairs of entities by key, and the redirects that are missing.

    Args:
        reader: The store, or a transaction that has locked the entities.
        keys: Of the entities.
        result: Gets what cannot be repaired; None where that is noted already.
    """
    models = stored_models(reader)
    now = datetime.now(UTC)
    rows = reader.read(
        "read/compared_entities",
        keys=list(keys),
        property=statements.embedding_property(models.number),
        dimensions=models.current.dimensions if models.current else None,
    )
    named_rows = []
    for row in rows:
        name = row["stored"].get("name")
        if isinstance(name, str) and name.strip():
            named_rows.append(row)
        elif result is not None:
            _note_leftover(
                result, f"the entity of the key {shortened(row['key'])} has no name: give it one"
            )
    repairs = {row["key"]: repair for row in named_rows if (repair := compare(row, now)).sorts}
    return repairs, _missing_redirects(reader, named_rows, result)


def _missing_redirects(reader: Reader, rows: Sequence[Row], result: Repair | None) -> list[Row]:
    """Redirects from the keys of present names, where such a key leads nowhere yet."""
    names = {
        name_key: row["key"]
        for row in rows
        if (name_key := text.key(text.project_of(row["key"]), row["stored"]["name"])) != row["key"]
    }
    if not names:
        return []
    targets_by_key = {
        row["key"]: row["target"] for row in reader.read("read/redirects", keys=sorted(names))
    }
    taken_keys = {row["key"] for row in reader.read("read/sizes", keys=sorted(names))}
    missing = []
    for name_key, key in sorted(names.items()):
        if targets_by_key.get(name_key) == key:
            continue
        if name_key in taken_keys or name_key in targets_by_key:
            name = text.name_of(name_key)
            sentence = f"{shortened(key)} was renamed to {shortened(name)}, which is another entity"
            if result is not None:
                _note_leftover(result, f"{sentence}: choose another name")
            continue
        missing.append({"key": name_key, "target": key})
    return missing


def _compared_again(
    transaction: Transaction, keys: Sequence[str], *, writes: bool
) -> tuple[dict[str, EntityRepair], list[Row]]:
    """Lock entities and compare them once more; if `writes`, write what differs."""
    transaction.run("write/lock_keys", keys=list(keys))
    repairs, redirects = _compared(transaction, keys)
    if writes:
        _write(transaction, list(repairs.values()), redirects)
    return repairs, redirects


def _write(
    transaction: Transaction, repair_list: Sequence[EntityRepair], redirects: list[Row]
) -> None:
    """Write what differs of locked entities."""
    # No passage is written with an embedding, so which property would hold one does not matter.
    of_passages = {"property": statements.embedding_property(0)}
    writes: tuple[tuple[str, list[Row], dict[str, str]], ...] = (
        ("write/put_redirects", redirects, {}),
        ("write/put_entities", [r.entity for r in repair_list if r.entity], {}),
        ("write/set_passages", [row for r in repair_list for row in r.changed_passages], {}),
        ("write/put_passages", [row for r in repair_list for row in r.added_passages], of_passages),
    )
    links = [link for r in repair_list for link in r.deleted_links]
    if links:
        transaction.run("write/delete_passage_links", links=links)
    elements = [element for r in repair_list for element in r.deleted_elements]
    if elements:
        transaction.run("write/delete_passage_elements", elements=elements)
    for statement, rows, parameters in writes:
        for batch in batches(rows, most=ROWS):
            transaction.run(statement, rows=batch, **parameters)


def _relations(graph: Graph, keys: Sequence[str], result: Repair, *, writes: bool) -> None:
    """Give relations made by hand the properties by which `link` recognises them."""
    rows = graph.read("read/compared_relations", keys=list(keys))
    repairs = compare_relations(rows, datetime.now(UTC), result.new_keys)
    for name in repairs.repeated:
        _note_leftover(result, f"{' '.join(name)} exists twice: delete one of the two")
    result.counts.update(repairs.sorts)
    for batch in batches(repairs.rows, most=ROWS) if writes else ():
        graph.run("write/repair_relations", rows=batch)


def _strays(graph: Graph, result: Repair, *, writes: bool) -> None:
    """Delete the passages of entities that were deleted by hand."""
    count = int(graph.read("read/stray_passages")[0]["passages"])
    result.counts.update({STRAY: count} if count else {})
    while count > 0 and writes:
        rows = graph.run("write/delete_stray_passages", limit=ROWS)
        count = int(rows[0]["deleted"])
