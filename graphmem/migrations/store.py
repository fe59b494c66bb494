"""Brings a store up to date, a page of entities in each transaction.

Every transaction locks the store's node first and looks at the version there. So two processes
share the work instead of doing it twice, and a kill at any moment loses the page in hand and no
more: whoever opens the store next goes on.
"""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial

from graphmem import schema
from graphmem.embedding import StoredModels
from graphmem.errors import SchemaMismatch
from graphmem.graph import Graph, Row, Transaction
from graphmem.migrations.table import MIGRATIONS, OLDEST_READABLE, VERSION, Migration
from graphmem.model.language import DEFAULT
from graphmem.progress import SILENT, Progress

log = logging.getLogger("graphmem")

PAGE = 500


@dataclass(frozen=True, slots=True)
class _Page:
    """What one transaction did.

    Args:
        last: The key after which the next page begins.
        entities: How many entities are finished by it.
    """

    last: str
    entities: int


def prepare(
    graph: Graph, languages: Sequence[str] = DEFAULT, *, progress: Progress = SILENT
) -> Mapping[str, Row]:
    """Make a store ready for writing: its version noted, indexes online, content up to date.

    Idempotent; several processes may do it at once. A store that is ready costs two reads.

    Args:
        graph: The store.
        languages: Those of a new store; one that has languages keeps them.
        progress: Receives the progress of what takes long.

    Returns:
        The indexes of the store, by name, for `schema.languages`.

    Raises:
        SchemaMismatch: A newer graphmem or another program made the store, or an index of ours has
            another definition.
    """
    store = _store(graph)
    version = _version(store)
    _refuse_others(graph, store)
    models = StoredModels.of(store)
    indexes = schema.ensure(graph, languages, embedding_set=models.number, progress=progress)
    if version != VERSION:
        migrate(graph, progress=progress)
    return indexes


def check(graph: Graph) -> str | None:
    """A sentence where a store is older than this graphmem, for those that may not change it.

    Raises:
        SchemaMismatch: A newer graphmem or another program made the store, or a graphmem so old
            that it cannot be read.
    """
    store = _store(graph)
    noted_number = _version(store)
    _refuse_others(graph, store)
    if noted_number == VERSION or (noted_number is None and not _entities(graph)):
        return None
    version = noted_number or 1
    mismatch = f"the store has version {version}, and this graphmem writes version {VERSION}"
    if version < OLDEST_READABLE:
        raise SchemaMismatch(
            f"{mismatch} and reads none before version {OLDEST_READABLE}; open it once without "
            "read-only to bring it up to date"
        )
    return f"{mismatch}; it is read as it is; open it once without read-only to bring it up to date"


def noted_version(graph: Graph) -> int | None:
    """The version that a store notes: the number of its last migration.

    None for a new store, and for one that is older than every migration.
    """
    return _version(_store(graph))


def migrate(
    graph: Graph,
    *,
    migrations: Sequence[Migration] = MIGRATIONS,
    page: int = PAGE,
    progress: Progress = SILENT,
) -> None:
    """Run the migrations that a store has not had, in their order.

    Args:
        graph: The store, its constraints in place.
        migrations: All there are; a store that holds no entity yet has had them.
        page: Entities in a transaction.
        progress: Receives the progress of each.
    """
    newest = migrations[-1].number
    version = graph.write(lambda transaction: _locked(transaction, newest))
    missing = [migration for migration in migrations if migration.number > version]
    for place, migration in enumerate(missing, 1):
        progress.say(
            f"Bringing the store up to date, {place} of {len(missing)}: {migration.title} …"
        )
        _run(graph, migration, page, progress)


def _run(graph: Graph, migration: Migration, page: int, progress: Progress) -> None:
    graph.write(partial(_begin, number=migration.number))
    total, done, last = _entities(graph), 0, ""
    while True:
        page_done = graph.write(partial(_next, migration=migration, after=last, page=page))
        if page_done is None:
            break
        last, done = page_done.last, done + page_done.entities
        progress.advance("Bringing the store up to date", min(done, total - 1), total)
    progress.advance("Bringing the store up to date", total, total)
    log.info("the store is of version %d now: %s", migration.number, migration.title)


def _begin(transaction: Transaction, *, number: int) -> None:
    """Note to which version the store is being brought: from then on no older graphmem writes."""
    if _locked(transaction, number) < number:
        transaction.run("write/note_in_store_record", properties={"next_version": number})


def _next(transaction: Transaction, *, migration: Migration, after: str, page: int) -> _Page | None:
    """Change the next page; note the migration where none is left. None where it is finished."""
    if _locked(transaction, migration.number) >= migration.number:
        return None
    change = migration.change
    rows = transaction.run("read/entity_keys", after=after, limit=page) if change else []
    if change is None or not rows:
        moment = datetime.now(UTC).isoformat(timespec="seconds")
        line = f"{migration.number} {moment} {migration.title}"
        transaction.run("write/note_migration", number=migration.number, line=line)
        return None
    keys = [row["key"] for row in rows]
    if change(transaction, keys):
        return _Page(keys[-1], len(keys))
    return _Page(after, 0)


def _locked(transaction: Transaction, newest: int) -> int:
    """Lock the store's node, and give the store's version."""
    return int(transaction.run("write/lock_store", newest=newest)[0]["version"])


def _store(graph: Graph) -> Row:
    """The properties of the store's node; empty where it has none yet."""
    rows = graph.read("read/store")
    return dict(rows[0]["store"]) if rows else {}


def _version(store: Row) -> int | None:
    number = store.get("schema_version")
    return None if number is None else int(number)


def _entities(graph: Graph) -> int:
    return int(graph.read("read/store_counts")[0]["entities"])


def _refuse_others(graph: Graph, store: Row) -> None:
    """Refuse what a newer graphmem wrote, and nodes of another program with labels of ours.

    A store that a newer one was bringing up to date when it was killed is partly of its version.

    The oldest graphmem had indexes of its own, too: without them, migrations would change nodes
    that it never made.
    """
    version, begun = _version(store), int(store.get("next_version") or 0)
    newest = max(version or 0, begun)
    if newest > VERSION:
        state = "has" if newest == version else "is being brought to"
        raise SchemaMismatch(
            f"the store {state} version {newest}, and this graphmem knows versions up to "
            f"{VERSION}: a newer graphmem wrote it; upgrade graphmem to open it"
        )
    if version is None and _has_nodes(graph) and not schema.has_indexes(graph):
        raise SchemaMismatch(
            "another program has nodes with the label Entity or Passage in this database, and "
            "graphmem would change them: set NEO4J_DATABASE or NEO4J_URI to a database that holds "
            "nothing else, or unset NEO4J_URI to use the private one"
        )


def _has_nodes(graph: Graph) -> bool:
    counts = graph.read("read/store_counts")[0]
    return bool(counts["entities"] or counts["passages"])
