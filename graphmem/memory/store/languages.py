"""The languages of a store, which a search must know."""

import logging
from collections.abc import Mapping
from typing import Self

from graphmem import lucene, schema
from graphmem.errors import DatabaseError, DatabaseTimeout, DatabaseUnavailable, IndexNotReady
from graphmem.graph import Graph, Row
from graphmem.model.language import Language
from graphmem.settings import Settings

log = logging.getLogger("graphmem")


class StoreLanguages:
    """The languages a store is searched in, read again where a text index of theirs is gone.

    Args:
        graph: The store.
        known: Its languages, as they were when they were read.
    """

    def __init__(
        self, graph: Graph, known: tuple[Language, ...] = lucene.DEFAULT_LANGUAGES
    ) -> None:
        self.known = known
        self._graph = graph

    @classmethod
    def of(cls, graph: Graph, config: Settings, indexes: Mapping[str, Row] | None = None) -> Self:
        """Read a store's languages; a warning where the settings ask for others.

        Args:
            graph: The store.
            config: The settings.
            indexes: What `migrations.prepare` has just given; without it they are read.
        """
        languages = schema.languages(graph, indexes)
        if reason := differing(languages, config):
            log.warning("%s", reason)
        return cls(graph, languages)

    def changed(self, error: DatabaseError) -> tuple[Language, ...]:
        """The present languages, where another process has rebuilt the indexes for others.

        Args:
            error: Why a search in the known languages failed; raised where they are no reason.
        """
        if isinstance(error, (DatabaseTimeout, DatabaseUnavailable, IndexNotReady)):
            raise error
        languages = schema.languages(self._graph)
        if languages == self.known:
            raise error
        log.info("the store is indexed in other languages now")
        self.known = languages
        return languages


def differing(languages: tuple[Language, ...], config: Settings) -> str | None:
    """A sentence where somebody set other languages than a store has; defaults do not count."""
    if not config.asks_for_languages:
        return None
    return schema.differing(languages, config.languages)
