"""Carries what callers said of an entity to the name that its source has for it now.

So links survive that a file is moved or a note renamed. Which is which, `same_entities` tells. Of
all that is gone, only what callers spoke of is looked for.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

from graphmem import calls, text
from graphmem.batches import batches
from graphmem.graph import Graph, Row
from graphmem.model.json_object import compact_json
from graphmem.model.paths import HIDDEN
from graphmem.model.provenance import CALLER
from graphmem.write.deleting.carrying_over import carry_over
from graphmem.write.deleting.same_entities import Beginning, file_of, matches, matches_by_text
from graphmem.write.history.recording import change_id
from graphmem.write.options import WriteOptions
from graphmem.write.reshaping import Embed

PAGE = 2000
BATCH = 500
# Entities whose whole texts are read at a time, and of how many passages.
TEXTS = 100
PASSAGES = 20
# How a revision tells that an entity was hidden before.
_REMOVED = compact_json({HIDDEN: True}).strip("{}")


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
        By the keys of the entities that were moved, the keys of those that this import has created
        or brought back in their place, or one before it that was interrupted.
    """
    wanted = {row["key"] for row in relations_of_callers(graph, gone)}
    wanted |= {key for key, row in gone.items() if CALLER in (row["authors"] or ())}
    if not wanted:
        return {}
    gone_beginnings = list(_beginnings(graph, gone))
    texts = _texts_to_find(gone_beginnings, wanted)
    appeared = [
        beginning for beginning in _appeared(graph, options, texts) if is_present(beginning.key)
    ]
    new_keys = matches(gone_beginnings, appeared)
    new_keys |= _edited(graph, gone_beginnings, appeared, new_keys, wanted)
    return {
        key: new_keys[key]
        for key in sorted(wanted & new_keys.keys())
        if carry_over(graph, key, new_keys[key], options.author, embed=embed)
    }


def _texts_to_find(gone: Iterable[Beginning], wanted: Collection[str]) -> list[str]:
    """How what is gone of the files of the wanted entities begins."""
    files = {file_of(key) for key in wanted}
    return sorted(
        {beginning.text for beginning in gone if beginning.text and beginning.file in files}
    )


def _edited(
    graph: Graph, gone: Sequence[Beginning], appeared: Sequence[Beginning],
    new_keys: Mapping[str, str], wanted: Collection[str],
) -> dict[str, str]:  # fmt: skip
    """Match what was edited as well: symbols of the files of wanted ones, and notes."""
    taken_keys = set(new_keys.values())
    rest = [beginning for beginning in gone if beginning.key not in new_keys]
    free = [beginning for beginning in appeared if beginning.key not in taken_keys]
    lost = [beginning for beginning in rest if beginning.key in wanted]
    kinds = {beginning.kind for beginning in lost if beginning.is_note}
    files = {beginning.file for beginning in lost if beginning.symbol}
    new_files = {file_of(new_key) for key, new_key in new_keys.items() if file_of(key) in files}

    def with_texts(beginnings: Iterable[Beginning], files: Collection[str]) -> list[Beginning]:
        keys = [beginning.key for beginning in beginnings if _is_among(beginning, files, kinds)]
        return list(_beginnings(graph, keys, passages=PASSAGES))

    return matches_by_text(
        with_texts(rest, files), with_texts(free, files | new_files), new_keys, wanted
    )


def _is_among(beginning: Beginning, files: Collection[str], kinds: Collection[str]) -> bool:
    """Whether it is a symbol of some files, or a note of some kinds."""
    return beginning.file in files if beginning.symbol else beginning.kind in kinds


def _beginnings(graph: Graph, keys: Iterable[str], *, passages: int = 1) -> Iterator[Beginning]:
    size = BATCH if passages == 1 else TEXTS
    for batch in batches(sorted(keys), most=size):
        rows = graph.read("read/beginnings", keys=batch, passages=passages)
        yield from map(Beginning.of, rows)


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


def note_finished(graph: Graph, options: WriteOptions) -> None:
    """Note that an import has carried over all that it had to, so that a later one need not.

    Args:
        graph: The store.
        options: The import.
    """
    change = change_id(calls.current(), options.project)
    graph.run("write/note_finished_import", id=change, author=options.author)


def _appeared(graph: Graph, options: WriteOptions, texts: Sequence[str]) -> Iterator[Beginning]:
    """What this import has created or brought back, or those before it that were interrupted."""
    project = options.project
    rows = graph.read("read/unfinished_imports", project=project, author=options.author)
    changes = sorted({change_id(calls.current(), project), *(row["id"] for row in rows)})
    parameters = {"project": project, "changes": changes, "removed": _REMOVED, "texts": texts}
    after = ""
    while rows := graph.read("read/appeared_texts", after=after, limit=PAGE, **parameters):
        yield from map(Beginning.of, rows)
        after = rows[-1]["key"]
