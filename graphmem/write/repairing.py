"""Finds what was changed by hand in a store, and puts it right, some entities in a transaction."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from graphmem import queries, text
from graphmem.batches import TRANSACTION_BYTES, batches
from graphmem.embedding import StoredModels
from graphmem.errors import InvalidInput, shortened
from graphmem.graph import Graph, Row, Transaction
from graphmem.model import limits
from graphmem.model.period import since
from graphmem.model.provenance import CALLER
from graphmem.progress import SILENT, Progress
from graphmem.write.comparing import EntityRepair, compare
from graphmem.write.weight import stored_weights

KEYLESS = "entities made without a key"
RENAMED = "entities whose name was changed, which the new name did not lead to"
STRAY = "passages without an entity"
RELATIONS = "relations made by hand, or with another beginning"

# Entities that are read and compared together, and what one transaction writes of each sort.
PAGE = 500
ROWS = 1000
# Entities that cannot be put right are told one by one up to so many.
MOST_LEFT = 20


@dataclass(frozen=True, slots=True)
class Repair:
    """What was found in a store.

    Args:
        found: How many of each sort can be put right, or were.
        left: Why some things were left as they are, a sentence each.
        fresh: The keys that entities were given, of which nothing else is counted.
    """

    found: Counter[str] = field(default_factory=Counter)
    left: list[str] = field(default_factory=list)
    fresh: set[str] = field(default_factory=set)

    @property
    def total(self) -> int:
        """How many there are of all sorts."""
        return self.found.total()

    def __str__(self) -> str:
        """Write it for people: every sort with its number, the commonest first."""
        return "; ".join(f"{sort}: {count:,}" for sort, count in self.found.most_common())


def repair(graph: Graph, *, writes: bool, progress: Progress = SILENT) -> Repair:
    """Compare a whole store with what graphmem would write of it, all projects together.

    Idempotent, and several processes may do it at once: what is put right is locked and compared
    again first. A kill loses the transaction in hand and no more.

    Args:
        graph: The store.
        writes: Whether what is found is put right; otherwise it is only counted.
        progress: Hears how many entities are compared.
    """
    made = Repair()
    _keys(graph, made, writes=writes)
    total, done, after = int(graph.read("read/store_counts")[0]["entities"]), 0, ""
    while rows := graph.read("read/entity_keys", after=after, limit=PAGE):
        keys = [row["key"] for row in rows]
        weights = stored_weights(graph, keys)
        for some in batches(
            sorted(weights), weights.__getitem__, most=PAGE, most_bytes=TRANSACTION_BYTES
        ):
            _entities(graph, some, made, writes=writes)
            _relations(graph, some, made, writes=writes)
        after, done = keys[-1], done + len(keys)
        progress.advance("Comparing entities", min(done, total - 1), total)
    _strays(graph, made, writes=writes)
    progress.advance("Comparing entities", total, total)
    return made


def _keys(graph: Graph, made: Repair, *, writes: bool) -> None:
    """Give entities that have none a key, where their project and name make one that is free."""
    rows = graph.read("read/keyless_entities", limit=ROWS)
    wanted: dict[str, Row] = {}
    for row in rows:
        key = _key_of(row)
        if key is None:
            _leave(made, f"an entity without a project or a name ({row['element']}): give it both")
        elif key in wanted:
            _leave(made, _twice(key))
        else:
            wanted[key] = row | {"key": key}
    taken = {row["key"] for row in graph.read("read/sizes", keys=sorted(wanted))}
    for key in sorted(taken):
        _leave(made, _twice(key))
    free = [row for key, row in sorted(wanted.items()) if key not in taken]
    made.found.update({KEYLESS: len(free)} if free else {})
    if free and writes:
        given = [{"element": row["element"], "key": row["key"]} for row in free]
        graph.write(lambda transaction: transaction.run("write/give_keys", rows=given))
        made.fresh.update(row["key"] for row in free)


def _key_of(row: Row) -> str | None:
    try:
        name = limits.name("name", row["name"])
        project = limits.label("project", row["project"])
    except InvalidInput:
        return None
    return None if "#" in project else text.key(project, name)


def _twice(key: str) -> str:
    project, _, name = key.partition("#")
    return (
        f"a second entity {shortened(name)} in {project}, without a key: move what it says to the "
        "first, and delete it"
    )


def _leave(made: Repair, sentence: str) -> None:
    if len(made.left) < MOST_LEFT:
        made.left.append(sentence)


def _entities(graph: Graph, keys: Sequence[str], made: Repair, *, writes: bool) -> None:
    """Compare entities, and write again what differs."""
    found, redirects = _compared(graph.read, graph.read, keys, made)
    for key, difference in found.items():
        made.found.update({} if key in made.fresh else difference.sorts)
    made.found.update({RENAMED: len(redirects)} if redirects else {})
    wrong = sorted(found.keys() | {row["target"] for row in redirects})
    if wrong and writes:
        graph.write(lambda transaction: _write(transaction, wrong))


_Run = Callable[..., list[Row]]


def _compared(
    read: _Run, read_store: _Run, keys: Sequence[str], made: Repair | None = None
) -> tuple[dict[str, EntityRepair], list[Row]]:
    """By key what differs of entities, and the redirects that lack."""
    stored = read_store("read/store")
    number = StoredModels.of(stored[0]["store"] if stored else {}).number
    now = datetime.now(UTC)
    rows = read(
        "read/compared_entities", keys=list(keys), property=queries.embedding_property(number)
    )
    whole = []
    for row in rows:
        name = row["stored"].get("name")
        if isinstance(name, str) and name.strip():
            whole.append(row)
        elif made is not None:
            _leave(made, f"the entity of the key {shortened(row['key'])} has no name: give it one")
    differing = {row["key"]: difference for row in whole if (difference := compare(row, now)).sorts}
    return differing, _missing_redirects(read, whole, made)


def _missing_redirects(read: _Run, rows: Sequence[Row], made: Repair | None) -> list[Row]:
    """The keys of the names of entities that do not lead there, where they lead nowhere."""
    names = {
        own: row["key"]
        for row in rows
        if (own := text.key(text.project_of(row["key"]), row["stored"]["name"])) != row["key"]
    }
    if not names:
        return []
    leads = {row["key"]: row["target"] for row in read("read/redirects", keys=sorted(names))}
    taken = {row["key"] for row in read("read/sizes", keys=sorted(names))}
    missing = []
    for own, key in sorted(names.items()):
        if leads.get(own) == key:
            continue
        if own in taken or own in leads:
            name = text.name_of(own)
            sentence = f"{shortened(key)} was renamed to {shortened(name)}, which is another entity"
            if made is not None:
                _leave(made, f"{sentence}: choose another name")
            continue
        missing.append({"key": own, "target": key})
    return missing


def _write(transaction: Transaction, keys: Sequence[str]) -> None:
    """Lock entities, compare them once more, and write what differs."""
    transaction.run("write/lock_keys", keys=list(keys))
    found, redirects = _compared(transaction.run, transaction.run, keys)
    differences = list(found.values())
    statements: tuple[tuple[str, str, list[Row], dict[str, str]], ...] = (
        ("write/put_redirects", "rows", redirects, {}),
        ("write/put_entities", "rows", [d.entity for d in differences if d.entity], {}),
        ("write/set_passages", "rows", [row for d in differences for row in d.changed], {}),
        (
            "write/put_passages",
            "rows",
            [row for d in differences for row in d.added],
            {"property": queries.embedding_property(0)},
        ),
    )
    gone = [element for d in differences for element in d.gone]
    if gone:
        transaction.run("write/delete_passage_elements", elements=gone)
    for statement, name, rows, more in statements:
        for some in _some(rows):
            transaction.run(statement, **{name: some}, **more)


def _some(rows: Sequence[Row]) -> Iterator[list[Row]]:
    for start in range(0, len(rows), ROWS):
        yield list(rows[start : start + ROWS])


def _relations(graph: Graph, keys: Sequence[str], made: Repair, *, writes: bool) -> None:
    """Give relations made by hand what graphmem notes of each, so that `link` knows them."""
    now = datetime.now(UTC)
    rows: list[Row] = []
    for row in graph.read("read/compared_relations", keys=list(keys)):
        beginning = _since(row["valid_from"])
        complete = row["created_at"] is not None and row["authors"]
        if row["since"] == beginning and complete:
            continue
        if row["since"] != beginning and beginning in row["others"]:
            names = " ".join((row["start"], row["relation"], row["end"]))
            _leave(made, f"{names} is there twice: delete one of the two")
            continue
        rows.append(
            {
                "element": row["element"],
                "start": row["start"],
                "since": beginning,
                "created_at": row["created_at"] or now,
                "authors": row["authors"] or [CALLER],
            }
        )
    counted = sum(row["start"] not in made.fresh for row in rows)
    made.found.update({RELATIONS: counted} if counted else {})
    for some in _some(rows) if writes else ():
        graph.write(
            lambda transaction, some=some: transaction.run("write/set_relation_notes", rows=some)  # type: ignore[misc]
        )


def _since(valid_from: object) -> str:
    try:
        return since(limits.day_or_moment("valid_from", valid_from)) if valid_from else ""
    except InvalidInput:
        return ""


def _strays(graph: Graph, made: Repair, *, writes: bool) -> None:
    """Delete the passages of entities that were deleted by hand."""
    count = int(graph.read("read/stray_passages")[0]["passages"])
    made.found.update({STRAY: count} if count else {})
    while count > 0 and writes:
        rows = graph.write(
            lambda transaction: transaction.run("write/delete_stray_passages", limit=ROWS)
        )
        count = int(rows[0]["deleted"])
