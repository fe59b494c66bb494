"""Carries what callers said of an entity to the name that its source has for it now.

So links survive that a file is moved or a note renamed. An entity that is gone from the source and
one that has appeared in it are the same if they alone have this kind and begin with the same text.
Where several do, as with short functions, those with the same symbol, or the same file name, belong
together. What was edited as well is found by the file that the other symbols of its file are in
now. Of all that is gone, only what callers spoke of is looked for.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Self

from graphmem import calls, text
from graphmem.batches import batches
from graphmem.graph import Graph, Row
from graphmem.model.json_object import compact_json
from graphmem.model.paths import HIDDEN
from graphmem.model.provenance import CALLER
from graphmem.write.carrying_over import carry_over
from graphmem.write.history.recording import change_id
from graphmem.write.options import WriteOptions
from graphmem.write.reshaping import Embed

PAGE = 2000
BATCH = 500
# Stands between the file and the symbol in the name of a symbol.
SYMBOL_MARK = "::"
# How a revision tells that an entity was hidden before.
_REMOVED = compact_json({HIDDEN: True}).strip("{}")


@dataclass(frozen=True, slots=True)
class Beginning:
    """What tells that an entity is another one under a new name.

    Args:
        key: Its key.
        kind: Its kind.
        text: How its text begins; None without one that matters.
    """

    key: str
    kind: str
    text: str | None

    @classmethod
    def of(cls, row: Row) -> Self:
        """Read a row of `read/first_texts` or `read/appeared_texts`."""
        return cls(row["key"], row["kind"], row["text"])

    @property
    def file(self) -> str:
        """The folded name of the file that a symbol is in, or the whole folded name."""
        return _file(self.key)

    @property
    def symbol(self) -> str:
        """The folded name of a symbol within its file; empty for what is none."""
        return text.name_of(self.key).partition(SYMBOL_MARK)[2]

    @property
    def last_name(self) -> str:
        """What a move to another folder or file leaves as it is."""
        return self.symbol or self.file.rpartition("/")[2]


def carry_over_moved(
    graph: Graph,
    options: WriteOptions,
    gone: Mapping[str, Row],
    is_present: Callable[[str], bool],
    *,
    embed: Embed,
) -> dict[str, str]:
    """Carry what callers said of entities over to those that the source has in their place.

    Args:
        graph: The store.
        options: The import.
        gone: By key, the rows of `read/asserted_entities` that it asserts no more.
        is_present: Whether the import asserts the entity of a key.
        embed: Embeds the texts that are carried over.

    Returns:
        By the keys of the entities that were moved, the keys of those that this call has created
        or brought back in their place.
    """
    wanted = {row["key"] for row in relations_of_callers(graph, gone)}
    wanted |= {key for key, row in gone.items() if CALLER in (row["authors"] or ())}
    if not wanted:
        return {}
    gone_beginnings, texts = _gone(graph, gone, wanted)
    appeared = (one for one in _appeared(graph, options.project, texts) if is_present(one.key))
    new_keys = matches(gone_beginnings, list(appeared))
    return {
        key: new_keys[key]
        for key in sorted(wanted & new_keys.keys())
        if carry_over(graph, key, new_keys[key], options.author, embed=embed)
    }


def _gone(
    graph: Graph, keys: Collection[str], wanted: Collection[str]
) -> tuple[list[Beginning], list[str]]:
    """What is gone of the files of the wanted entities, and all that begins with a text of theirs.

    Returns:
        These, and the texts in the files of the wanted entities.
    """
    files = {_file(key) for key in wanted}
    beginnings = list(_beginnings(graph, (key for key in keys if _file(key) in files)))
    texts = {beginning.text for beginning in beginnings if beginning.text}
    others = _beginnings(graph, (key for key in keys if _file(key) not in files))
    beginnings += [beginning for beginning in others if beginning.text in texts]
    return beginnings, sorted(texts)


def _beginnings(graph: Graph, keys: Iterable[str]) -> Iterator[Beginning]:
    for batch in batches(sorted(keys), most=BATCH):
        yield from map(Beginning.of, graph.read("read/first_texts", keys=batch))


def relations_of_callers(graph: Graph, keys: Collection[str]) -> Iterator[Row]:
    """What callers wrote between some entities and living ones; see `read/hidden_relations`."""
    for batch in batches(sorted(keys), most=BATCH):
        yield from graph.read("read/hidden_relations", keys=batch)


def names_of(graph: Graph, moved: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """The names of moved entities, each with that of the one that has its place."""
    keys = sorted({*moved, *moved.values()})
    rows = graph.read("read/names_of", keys=keys) if keys else []
    names = {row["key"]: str(row["name"]) for row in rows}
    return tuple(
        (names.get(key, text.name_of(key)), names.get(into, text.name_of(into)))
        for key, into in moved.items()
    )


def _appeared(graph: Graph, project: str, texts: Sequence[str]) -> Iterator[Beginning]:
    change = change_id(calls.current(), project)
    parameters = {"project": project, "change": change, "removed": _REMOVED, "texts": texts}
    after = ""
    while rows := graph.read("read/appeared_texts", after=after, limit=PAGE, **parameters):
        yield from map(Beginning.of, rows)
        after = rows[-1]["key"]


def matches(gone: Sequence[Beginning], appeared: Sequence[Beginning]) -> dict[str, str]:
    """Match what is gone with what has appeared, each at most once; gives keys by keys."""
    new_keys = _of_same_text(gone, appeared)
    return new_keys | _of_same_file(gone, appeared, new_keys)


def _of_same_text(gone: Sequence[Beginning], appeared: Sequence[Beginning]) -> dict[str, str]:
    """Those that alone begin with a text, and of several those that alone have its last name."""
    new_keys: dict[str, str] = {}
    appeared_groups = _by_text(appeared)
    for group, gone_alike in _by_text(gone).items():
        appeared_alike = appeared_groups.get(group, [])
        if len(gone_alike) == len(appeared_alike) == 1:
            new_keys[gone_alike[0].key] = appeared_alike[0].key
            continue
        appeared_names, gone_names = _by_last_name(appeared_alike), _by_last_name(gone_alike)
        for name, same_named in gone_names.items():
            candidates = appeared_names.get(name, [])
            if len(same_named) == len(candidates) == 1:
                new_keys[same_named[0].key] = candidates[0].key
    return new_keys


def _of_same_file(
    gone: Sequence[Beginning], appeared: Sequence[Beginning], new_keys: Mapping[str, str]
) -> dict[str, str]:
    """The others of files most of whose symbols, as far as they were found, are in one file now."""
    by_key = {beginning.key: beginning for beginning in appeared}
    by_place = {(one.file, one.symbol, one.kind): one.key for one in appeared}
    taken_keys = set(new_keys.values())
    new_files: dict[str, Counter[str]] = {}
    for beginning in gone:
        if beginning.key in new_keys:
            new_file = by_key[new_keys[beginning.key]].file
            new_files.setdefault(beginning.file, Counter())[new_file] += 1
    others: dict[str, str] = {}
    for beginning in gone:
        if beginning.key in new_keys or beginning.file not in new_files:
            continue
        counts = new_files[beginning.file]
        ((new_file, count),) = counts.most_common(1)
        candidate = by_place.get((new_file, beginning.symbol, beginning.kind))
        if candidate is not None and candidate not in taken_keys and 2 * count > counts.total():
            others[beginning.key] = candidate
            taken_keys.add(candidate)
    return others


def _file(key: str) -> str:
    return text.name_of(key).partition(SYMBOL_MARK)[0]


def _by_text(beginnings: Sequence[Beginning]) -> dict[tuple[str, str], list[Beginning]]:
    groups: dict[tuple[str, str], list[Beginning]] = {}
    for beginning in beginnings:
        if beginning.text:
            groups.setdefault((beginning.kind, beginning.text), []).append(beginning)
    return groups


def _by_last_name(beginnings: Sequence[Beginning]) -> dict[str, list[Beginning]]:
    groups: dict[str, list[Beginning]] = {}
    for beginning in beginnings:
        groups.setdefault(beginning.last_name, []).append(beginning)
    return groups
