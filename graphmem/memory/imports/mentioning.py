"""Links out of text: `MENTIONS` relations wherever an imported text names another entity."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Self

from graphmem import text
from graphmem.graph import Graph
from graphmem.importing.prose import prose
from graphmem.memory.imports.spool import Spool
from graphmem.mentions import Names
from graphmem.model import Entity, Relation
from graphmem.progress import Progress

MENTION = "MENTIONS"
MOST_MENTIONS = 50
# Less than that of a link that somebody made, which is followed first.
WEIGHT = 0.9
PAGE = 5000


@dataclass(frozen=True, slots=True)
class NamedEntity:
    """A living entity: its names, who asserts it, and its source."""

    key: str
    name: str
    title: str | None = None
    aliases: tuple[str, ...] = ()
    authors: tuple[str, ...] = ()
    source: str | None = None

    @property
    def called(self) -> list[str]:
        """Its names; a title of one word is no name, since it often says what a thing is."""
        return _names(self.name, self.aliases, self.title)


def named_entities(graph: Graph, project: str) -> Iterator[NamedEntity]:
    """The living entities of a project, in the order of their keys, a page at a time."""
    after = ""
    while rows := graph.read("read/names", project=project, after=after, limit=PAGE):
        for row in rows:
            lists = {name: tuple(row[name] or ()) for name in ("aliases", "authors")}
            yield NamedEntity(**{**row, **lists})
        after = rows[-1]["key"]


class Texts:
    """The texts of an import's entities, kept on disk until all names are known.

    Args:
        project: The project they belong to.
    """

    def __init__(self, project: str) -> None:
        self._project = project
        self._spool: Spool[tuple[str, list[str]]] = Spool()
        self._entries: dict[str, _EntityTexts] = {}

    def __enter__(self) -> Self:
        """Give the texts themselves."""
        return self

    def __exit__(self, *_: object) -> None:
        """Forget them."""
        self._spool.close()

    def add(self, entity: Entity, place: str) -> None:
        """Keep what is said of one entity: where, under which names, and its texts."""
        key = text.key(self._project, entity.name)
        entry = self._entries.setdefault(key, _EntityTexts(place, entity.name))
        entry.names += _names(entity.name, entity.aliases, entity.title)
        texts = [part for part in (entity.text, *(o.text for o in entity.observations)) if part]
        if texts:
            entry.parts.append(self._spool.add((key, texts)))

    def mentions(
        self,
        other_entities: Iterable[NamedEntity],
        linked_keys: Mapping[str, Collection[str]],
        *,
        progress: Progress,
    ) -> Iterator[tuple[str, Relation]]:
        """Make relations of the names in the texts, with the place of each.

        An entity mentions each other one once, the 50 first that it names.

        Args:
            other_entities: The entities that are there beside those of the import.
            linked_keys: By key, the entities that relations of the import join to each already.
            progress: Receives the progress of the reading.
        """
        display_names = {key: entry.name for key, entry in self._entries.items()}
        names_by_key = {key: entry.names for key, entry in self._entries.items()}
        for other in other_entities:
            if other.key not in display_names:
                display_names[other.key], names_by_key[other.key] = other.name, other.called
        names = Names(
            (name, key) for key, entity_names in names_by_key.items() for name in entity_names
        )
        for done, (key, entry) in enumerate(self._entries.items(), 1):
            texts = (part for place in entry.parts for part in self._spool.at(place)[1])
            mentioned_keys = (
                mentioned_key for part in texts for mentioned_key in names.found_in(prose(part))
            )
            for other_key in _first(mentioned_keys, {*linked_keys.get(key, ()), key}):
                yield entry.place, _mention(entry.name, display_names[other_key])
            progress.advance("Finding mentions", done, len(self._entries))


@dataclass(slots=True)
class _EntityTexts:
    """An entity of an import: its place, its names, and where in the spool its texts are."""

    place: str
    name: str
    names: list[str] = field(default_factory=list)
    parts: list[int] = field(default_factory=list)


def _names(name: str, aliases: Sequence[str], title: str | None) -> list[str]:
    titles = [title] if title is not None and " " in title.strip() else []
    return [name, *aliases, *titles]


def is_derived(relation: Relation) -> bool:
    """Whether a relation was derived from a text."""
    return relation.attributes.get("derived") is True


def _first(keys: Iterable[str], excluded_keys: set[str]) -> Iterator[str]:
    """The first 50 different keys that are not excluded."""
    passed_keys = set(excluded_keys)
    for key in keys:
        if key not in passed_keys:
            passed_keys.add(key)
            yield key
            if len(passed_keys) - len(excluded_keys) == MOST_MENTIONS:
                return


def _mention(start: str, end: str) -> Relation:
    return Relation(start, MENTION, end, weight=WEIGHT, attributes={"derived": True})
