"""Takes back what an import asserted the last time and does not assert any more.

What callers said of an entity that the source has under another name now is carried over to that.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Self

from graphmem.batches import batches
from graphmem.graph import Graph, Row
from graphmem.model import Item
from graphmem.model.identity import RelationIdentity
from graphmem.model.provenance import CALLER, UNKNOWN
from graphmem.write.deleting.asserted_rows import is_hidden_by_caller, source_of
from graphmem.write.deleting.relations import withdraw_relations
from graphmem.write.deleting.renamed_sources import (
    carry_over_moved,
    names_of,
    note_finished,
    relations_of_callers,
)
from graphmem.write.entities import withdraw
from graphmem.write.options import WriteOptions
from graphmem.write.reshaping import Embed

PAGE = 2000
BATCH = 500
# An import that would take back more entities than this, and more than this share of what it
# brought in, may have looked at the wrong folder.
REMOVED_WITHOUT_CONSENT = 20
SHARE = 0.2


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What an import asserts this time.

    Args:
        keys: Whether a key is one of its entities.
        relations: Whether a relation is one of its own.
        unread: Whether a relation may be in what was not read, and stays as it is; asked with the
            source of the entity where it starts, None where it has none.
        unread_keys: The entities that stay as they are since they may be in what was not read, of
            those that it does not assert, with their sources by their keys.
        derives: Whether derived `MENTIONS` relations are up to date, so that missing ones may be
            deleted.
        whole: Whether the source is all there is; otherwise only derived relations are taken back.
        tells_moves: Whether an entity of another name and the same text is the same one, moved.
    """

    keys: Callable[[str], bool]
    relations: Callable[[RelationIdentity], bool]
    unread: Callable[[RelationIdentity, str | None], bool]
    unread_keys: Callable[[Mapping[str, str | None]], frozenset[str]]
    derives: bool
    whole: bool
    tells_moves: bool


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
        hidden: Relations that callers wrote between removed entities and others, which are hidden
            with them, as `A -[TYPE]-> B`.
        moved: Entities that callers had spoken of, each as it was called and as it is called now.
    """

    items: tuple[Item, ...]
    withheld: int
    brought: int
    unread: int
    hidden: tuple[str, ...] = ()
    moved: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Gone:
    """The entities that an import asserts no more, by key, and a count as in `Removed`.

    `unread_keys` has those that stay since they may be in what was not read; `moved` the keys of
    those of which callers spoke, and that of the one which has it now.
    """

    rows: Mapping[str, Row]
    brought_count: int
    unread_keys: frozenset[str]
    moved: Mapping[str, str] = field(default_factory=dict)


def carry_over_gone(
    graph: Graph, options: WriteOptions, snapshot: Snapshot, *, embed: Embed
) -> Gone:
    """Find the entities that an import asserts no more, and carry over what callers said of them.

    Before links to their names are written: what nobody else speaks of any more counts least.

    Args:
        graph: The store.
        options: The import, and whether anything is kept.
        snapshot: What it asserts this time, all of its entities.
        embed: Embeds the texts that are carried over to another entity.
    """
    gone = _gone_entities(graph, options, snapshot)
    if not snapshot.tells_moves or options.dry_run:
        return gone
    moved = carry_over_moved(graph, options, gone.rows, snapshot.keys, embed=embed)
    return replace(gone, moved=moved)


def remove_stale(
    graph: Graph, options: WriteOptions, snapshot: Snapshot, gone: Gone, *, allowed: bool
) -> Removed:
    """Take back entities and relations that an import asserts no more.

    Entities that somebody else asserts lose what the import said of them; the others get the status
    `removed`. Relations that nobody else asserts are deleted.

    Args:
        graph: The store.
        options: The import, and whether anything is kept.
        snapshot: What it asserts this time.
        gone: The entities that it asserts no more, of `carry_over_gone`.
        allowed: Whether it may take back more than a fifth of what it brought in.
    """
    moved, unread_count = gone.moved, len(gone.unread_keys)
    # First, since an interrupted import may have removed the entity when it is run again.
    if snapshot.tells_moves and not options.dry_run:
        note_finished(graph, options)
    moved_names = names_of(graph, moved)
    if len(gone.rows) > max(REMOVED_WITHOUT_CONSENT, SHARE * gone.brought_count) and not allowed:
        return Removed((), len(gone.rows), gone.brought_count, unread_count, moved=moved_names)
    items = {key: _item(row, options.author, moved) for key, row in gone.rows.items()}
    hidden_keys = {key for key, item in items.items() if item.outcome == "removed"}
    kept_starts = hidden_keys | gone.unread_keys
    stale_relations = [
        relation
        for relation in _stale_relations(graph, options, snapshot)
        if relation.identity.start not in kept_starts
    ]
    hidden = tuple(
        f"{row['start']} -[{row['relation']}]-> {row['end']}"
        for row in relations_of_callers(graph, hidden_keys)
        if row["other"] not in hidden_keys
    )
    if not options.dry_run:
        for batch in batches(sorted(gone.rows), most=BATCH):
            withdraw(graph, batch, options.author)
        identities = [relation.identity for relation in stale_relations]
        withdraw_relations(graph, identities, options.author)
    reason = f"no longer in the imported source {options.author}"
    deleted_items = (
        Item("relation", str(relation.identity), "removed", reason)
        for relation in stale_relations
        if relation.is_deleted
    )
    all_items = (*items.values(), *deleted_items)
    return Removed(all_items, 0, gone.brought_count, unread_count, hidden, moved_names)


def _gone_entities(graph: Graph, options: WriteOptions, snapshot: Snapshot) -> Gone:
    rows: dict[str, Row] = {}
    brought_count = 0
    for row in _entities(graph, options) if snapshot.whole else ():
        brought_count += 1
        if not snapshot.keys(row["key"]):
            rows[row["key"]] = row
    gone_sources = {key: source_of(row, options.author) for key, row in rows.items()}
    unread_keys = snapshot.unread_keys(gone_sources)
    read_rows = {key: row for key, row in rows.items() if key not in unread_keys}
    return Gone(read_rows, brought_count, unread_keys)


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
    identities = [
        relation.identity
        for relation in _relations(graph, earlier, derived=False, whole=True)
        if relation.is_own and not relation.is_derived and snapshot.relations(relation.identity)
    ]
    withdraw_relations(graph, identities, earlier_author)


def _item(row: Row, author: str, moved: Mapping[str, str]) -> Item:
    """The report item for an entity that its import does not assert any more."""
    reason = f"no longer in the imported source {author}"
    other_authors = set(row["authors"] or ()) - {author, UNKNOWN}
    if row["key"] in moved:
        other_authors -= {CALLER}
    if other_authors:
        return Item("entity", row["name"], "updated", f"{reason}; others still assert it")
    return Item("entity", row["name"], "removed", reason)


def _entities(graph: Graph, options: WriteOptions) -> Iterator[Row]:
    """What the import asserted; what callers hid stays as they left it."""
    after = ""
    parameters = {"project": options.project, "author": options.author, "limit": PAGE}
    while rows := graph.read("read/asserted_entities", after=after, **parameters):
        yield from (row for row in rows if not is_hidden_by_caller(row))
        after = rows[-1]["key"]


@dataclass(frozen=True, slots=True)
class _Relation:
    """A relation that an import asserted, or that is derived from a text.

    Args:
        identity: The relation.
        source: The source of the entity where it begins.
        begins_hidden: Whether that entity is hidden, since nobody asserts it any more.
        is_own: Whether the import asserts it.
        is_derived: Whether it is derived from a text.
        is_deleted: Whether it is deleted once the import takes it back: nobody else asserts it, or
            it is derived.
    """

    identity: RelationIdentity
    source: str | None
    begins_hidden: bool
    is_own: bool
    is_derived: bool
    is_deleted: bool

    @classmethod
    def of(cls, row: Row, link: Row) -> Self:
        """Read a row of `read/asserted_relations`, and one of its relations."""
        return cls(
            RelationIdentity.of_row(link | {"start": row["start"]}),
            row["source"],
            begins_hidden=row["removed"],
            is_own=link["own"],
            is_derived=link["derived"] is True,
            is_deleted=link["alone"],
        )


def _stale_relations(
    graph: Graph, options: WriteOptions, snapshot: Snapshot
) -> Iterator[_Relation]:
    """The relations that the import takes back."""
    for relation in _relations(graph, options, derived=snapshot.derives, whole=snapshot.whole):
        is_read_again = snapshot.keys(relation.identity.start)
        if relation.begins_hidden and not is_read_again:
            continue  # it is hidden with the entity, and comes back with it
        is_derived_again = relation.is_derived and snapshot.derives and is_read_again
        is_own = relation.is_own and not snapshot.unread(relation.identity, relation.source)
        if (is_own or is_derived_again) and not snapshot.relations(relation.identity):
            yield relation


def _relations(
    graph: Graph, options: WriteOptions, *, derived: bool, whole: bool
) -> Iterator[_Relation]:
    """The relations of a project that an import asserted or that are derived from texts.

    Args:
        graph: The store.
        options: The import.
        derived: Whether derived relations are among them, whoever derived them.
        whole: Whether those that the import asserted are.
    """
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
                yield _Relation.of(row, link)
        after = rows[-1]["start"]
