"""The files and folders that an import could not read, and what may still be in them."""

from collections.abc import Callable, Mapping
from typing import Self

from graphmem import text
from graphmem.graph import Graph
from graphmem.model import Item, sources
from graphmem.model.identity import RelationIdentity
from graphmem.transfer import Format
from graphmem.write import Redirects


class Unread:
    """The files and folders that an import could not read, whose earlier content stays.

    Where anything was not read, entities without a source stay as well.
    """

    def __init__(self) -> None:
        self._files: set[str] = set()
        self._folders: set[str] = set()
        # Of both, those in which nothing is that came from elsewhere.
        self._elsewhere: set[str] = set()
        # The files in which there was an entity.
        self._read_files: set[str] = set()
        # Of what was refused alone, the folded names of entities, those of the entities where
        # relations start, the keys of both, and whether there was a relation of any entity.
        self._names: set[str] = set()
        self._starts: set[str] = set()
        self._keys: set[str] = set()
        self._start_keys: set[str] = set()
        self._has_relations = False

    def add_alone(self, place: str, item: Item) -> None:
        """Note what was refused alone, and where."""
        if item.what == "entity":
            self._names.add(text.normalised(item.name))
        elif item.name == place:
            self._has_relations = True
        else:
            self._starts.add(text.normalised(item.name))

    def resolved(self, graph: Graph, project: str) -> Self:
        """The same, which knows now which entities of a project were refused alone."""
        names = Redirects.of(graph, project, self._names | self._starts).names
        self._keys |= {text.key(project, names.get(name, name)) for name in self._names}
        self._start_keys |= {text.key(project, names.get(name, name)) for name in self._starts}
        return self

    def add_read(self, place: str) -> None:
        """Note a file in which there was an entity."""
        self._read_files.add(sources.spelling(place))

    def add(self, place: str, *, is_elsewhere: bool = False) -> None:
        """Note a file, or a folder, whose place ends in `/`.

        Args:
            place: Where it is.
            is_elsewhere: Whether it is outside of what is imported.
        """
        spelt = sources.spelling(place)
        (self._folders if spelt.endswith("/") else self._files).add(spelt)
        if is_elsewhere:
            self._elsewhere.add(spelt)

    def may_hold(self, key: str, source: str | None, source_format: Format) -> bool:
        """Whether what an entity of a key and a source says may still be there."""
        return (
            key in self._keys
            or self._covers(source)
            or (not source_format.sources_are_files and self._covers(None))
        )

    def may_state(
        self,
        identity: RelationIdentity,
        source: str | None,
        *,
        source_format: Format,
        is_read: Callable[[str], bool],
    ) -> bool:
        """Whether what a relation says may still be there.

        A file that is one entity states all relations from this to others that were read, but for
        those that the files of their ends may state.

        Args:
            identity: The relation.
            source: The source of the entity where it starts.
            source_format: The format that is read.
            is_read: Whether an entity was read, by its key.
        """
        if self._has_relations or identity.start in self._start_keys:
            return True
        is_known = (
            source_format.is_entity_a_file
            and identity.relation not in source_format.stated_by_ends
            and source is not None
            and sources.spelling(source) in self._read_files
            and is_read(identity.start)
            and is_read(identity.end)
        )
        if is_known:
            return self._covers(source)
        return self.may_hold(identity.start, source, source_format)

    def keys_among(
        self, gone_sources: Mapping[str, str | None], source_format: Format
    ) -> frozenset[str]:
        """Those of entities that an import asserts no more which may still be there.

        A file with one entity that one of these came from has no other. Any other file that was not
        read may be where a renamed one is now.

        Args:
            gone_sources: The sources of the entities by their keys.
            source_format: The format that is read.
        """
        has_others = not source_format.is_entity_a_file or not self._are_among(gone_sources)
        return frozenset(
            key
            for key, source in gone_sources.items()
            if self._covers(source) or (has_others and self.may_hold(key, source, source_format))
        )

    def _are_among(self, gone_sources: Mapping[str, str | None]) -> bool:
        """Whether each is the source of something that is gone."""
        spelt = {sources.spelling(source) for source in gone_sources.values() if source is not None}
        return self._hiding <= spelt

    @property
    def _hiding(self) -> set[str]:
        return (self._files | self._folders) - self._elsewhere

    def _covers(self, source: str | None) -> bool:
        """Whether what came from a source, or from one that is not known, may still be there."""
        if source is None:
            return bool(self._hiding)
        source = sources.spelling(source)
        if source in self._files or "/" in self._folders or "./" in self._folders:
            return True
        parent_folders = (source[: i + 1] for i, mark in enumerate(source) if mark == "/")
        return not self._folders.isdisjoint(parent_folders)
