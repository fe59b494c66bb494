"""Takes back what an import asserted the last time and does not assert any more."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from graphmem.batches import batches
from graphmem.graph import Graph, Row
from graphmem.model import Item
from graphmem.model.identity import RelationIdentity
from graphmem.model.provenance import UNKNOWN
from graphmem.write.assertions.facts import SOURCE
from graphmem.write.assertions.provenance import Ledger
from graphmem.write.deleting.relations import withdraw_relations
from graphmem.write.entities import withdraw
from graphmem.write.options import WriteOptions

PAGE = 2000
BATCH = 500
# An import that would take back more entities than this, and more than this share of what it
# brought in, may have looked at the wrong folder.
FEW = 20
SHARE = 0.2


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What an import asserts this time.

    Args:
        keys: Whether a key is one of its entities.
        relations: Whether a relation is one of its own.
        unread: Whether the content of a source was not read, so that it stays as it is; asked with
            None for entities that have no source.
        derives: Whether derived `MENTIONS` relations are up to date, so that missing ones may be
            deleted.
        whole: Whether the source is all there is; otherwise only derived relations are taken back.
    """

    keys: Callable[[str], bool]
    relations: Callable[[RelationIdentity], bool]
    unread: Callable[[str | None], bool]
    derives: bool
    whole: bool


@dataclass(frozen=True, slots=True)
class Removed:
    """What was taken back, and what was withheld because it was too much.

    Args:
        items: An item for each, entities first.
        withheld: Entities that an import no longer asserts and that stay until it is told that
            they may go; 0 where all went.
        brought: Entities that the import had brought in.
        unread: Entities that an import no longer asserts and that stay since their source, or a
            part of it, was not read.
    """

    items: tuple[Item, ...] = ()
    withheld: int = 0
    brought: int = 0
    unread: int = 0


def remove_stale(
    graph: Graph, options: WriteOptions, snapshot: Snapshot, *, allowed: bool = False
) -> Removed:
    """Take back entities and relations that an import asserts no more.

    Entities that somebody else asserts lose what the import said of them; the others get the status
    `removed`. Relations that nobody else asserts are deleted.

    Args:
        graph: The store.
        options: The import, and whether anything is kept.
        snapshot: What it asserts this time.
        allowed: Whether it may take back more than a fifth of what it brought in.
    """
    stale_entities: dict[str, Item] = {}
    brought_count = unread_count = 0
    for row in _entities(graph, options) if snapshot.whole else ():
        brought_count += 1
        if snapshot.keys(row["key"]):
            continue
        if snapshot.unread(_source(row, options.author)):
            unread_count += 1
        else:
            stale_entities[row["key"]] = _item(row, options.author)
    if len(stale_entities) > max(FEW, SHARE * brought_count) and not allowed:
        return Removed((), len(stale_entities), brought_count, unread_count)
    hidden_keys = {key for key, item in stale_entities.items() if item.outcome == "removed"}
    stale_relations = [
        (identity, has_one_author)
        for identity, has_one_author in _stale_relations(graph, options, snapshot)
        if identity.start not in hidden_keys
    ]
    if not options.dry_run:
        for batch in batches(sorted(stale_entities), most=BATCH):
            withdraw(graph, batch, options.author)
        withdraw_relations(graph, [identity for identity, _ in stale_relations], options.author)
    reason = f"no longer in the imported source {options.author}"
    deleted_items = (
        Item("relation", str(identity), "removed", reason)
        for identity, has_one_author in stale_relations
        if has_one_author
    )
    return Removed((*stale_entities.values(), *deleted_items), 0, brought_count, unread_count)


def take_over(graph: Graph, options: WriteOptions, snapshot: Snapshot, earlier_author: str) -> None:
    """Let what an import asserts be asserted no more by the name that it had before.

    Args:
        graph: The store.
        options: The import, and whether anything is kept.
        snapshot: What it asserts this time.
        earlier_author: What it was called before.
    """
    if options.dry_run or not snapshot.whole:
        return
    earlier = replace(options, author=earlier_author)
    keys = [row["key"] for row in _entities(graph, earlier) if snapshot.keys(row["key"])]
    for batch in batches(keys, most=BATCH):
        withdraw(graph, batch, earlier_author)
    relations = [
        identity
        for _, link, identity in _relations(graph, earlier, derived=False, whole=True)
        if link["own"] and not link["derived"] and snapshot.relations(identity)
    ]
    withdraw_relations(graph, relations, earlier_author)


def _item(row: Row, author: str) -> Item:
    """The report item for an entity that its import does not assert any more."""
    reason = f"no longer in the imported source {author}"
    other_authors = set(row["authors"] or ()) - {author, UNKNOWN}
    if other_authors:
        return Item("entity", row["name"], "updated", f"{reason}; others still assert it")
    return Item("entity", row["name"], "removed", reason)


def _entities(graph: Graph, options: WriteOptions) -> Iterator[Row]:
    after = ""
    parameters = {"project": options.project, "author": options.author, "limit": PAGE}
    while rows := graph.read("read/asserted_entities", after=after, **parameters):
        yield from rows
        after = rows[-1]["key"]


def _source(row: Row, author: str) -> str | None:
    """The source that the import gave of an entity, even if another author's word on it counts."""
    source: str | None = row["source"]
    if row["record"] is None or not row["record"].startswith("{"):
        return source
    facts = {} if source is None else {SOURCE: source}
    word = Ledger.decoded(row["authors"], row["record"], facts).word(author, SOURCE)
    return None if word is None else str(word.value)


def _stale_relations(
    graph: Graph, options: WriteOptions, snapshot: Snapshot
) -> Iterator[tuple[RelationIdentity, bool]]:
    """Relations that are taken back, and whether nobody else asserts each."""
    for row, link, identity in _relations(
        graph, options, derived=snapshot.derives, whole=snapshot.whole
    ):
        if row["removed"] and not snapshot.keys(identity.start):
            continue  # it is hidden with the entity, and comes back with it
        read_again = link["derived"] is True and snapshot.derives and snapshot.keys(identity.start)
        is_own = link["own"] and not snapshot.unread(row["source"])
        if (is_own or read_again) and not snapshot.relations(identity):
            yield identity, bool(link["alone"])


def _relations(
    graph: Graph, options: WriteOptions, *, derived: bool, whole: bool
) -> Iterator[tuple[Row, Row, RelationIdentity]]:
    """Relations that an import asserted or that are derived: the row of the start, and each."""
    after = ""
    parameters = {
        "project": options.project,
        "author": options.author if whole else None,
        "derived": derived,
        "limit": PAGE,
    }
    while rows := graph.read("read/asserted_relations", after=after, **parameters):
        for row in rows:
            for link in row["relations"]:
                yield row, link, RelationIdentity.of_row(link | {"start": row["start"]})
        after = rows[-1]["start"]
