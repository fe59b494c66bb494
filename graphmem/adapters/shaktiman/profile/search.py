"""What a question finds among the code: symbols, and files whose own lines matched."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from graphmem import lucene, snippets, text
from graphmem.arguments import QUERY_CHARACTERS
from graphmem.errors import InvalidInput
from graphmem.model import Entity, Hit
from graphmem.model.answer import MOST_HITS, Detail
from graphmem.profiles.reading import entities_by_key
from graphmem.search import Weights

if TYPE_CHECKING:
    from graphmem.memory import Memory

FILE = "File"
# Whether a symbol is a test, by the scope asked for.
SCOPES: dict[str, list[bool]] = {"impl": [False], "test": [True], "all": [False, True]}
# The least score of the tool, .15 by default, is meant for a scale on which words of a query found
# in a symbol give more: graphmem's own is stretched, in the same way for every query. All four
# parts together stay below .99, by which the tool's users ask for nothing.
SCALE = Weights(text=0.85, saturation=2.5, vector=0.5, name=0.6, link=0.6)
NEEDED = frozenset({"path", "start_line", "end_line"})


@dataclass(frozen=True, slots=True)
class Symbol:
    """A hit, and the symbol or file it stands for."""

    hit: Hit
    entity: Entity

    @property
    def place(self) -> str:
        """Its file and lines: `internal/auth/token.go:9-21`."""
        attributes = self.entity.attributes
        return f"{attributes['path']}:{attributes['start_line']}-{attributes['end_line']}"

    @property
    def name(self) -> str:
        """What the code calls it."""
        return str(self.entity.attributes.get("symbol") or self.hit.name)


@dataclass(frozen=True, slots=True)
class Result:
    """The symbols that match, best first.

    Args:
        query: As it was given.
        project: The project that was searched.
        symbols: At most as many as were asked for.
        notes: What the answer had to do without or cut, a sentence each.
    """

    query: str
    project: str
    symbols: tuple[Symbol, ...]
    notes: tuple[str, ...]


def search_code(
    memory: "Memory",
    query: str,
    *,
    scope: str,
    path: str | None = None,
    limit: int,
    min_score: float = 0.0,
    detail: Detail = "passages",
) -> Result:
    """Search the code.

    Args:
        memory: Where.
        query: As it was given.
        scope: impl, test or all.
        path: A file or folder, by whole segments.
        limit: The most symbols.
        min_score: The least score.
        detail: How many passages come with each hit.

    Raises:
        InvalidInput: The query is blank, or the path leads out of the project.
    """
    words, where = _words(query), _where(scope, path)
    symbols: list[Symbol] = []
    notes: dict[str, None] = {}
    cursor = None
    while True:
        answer = memory.search(
            words,
            limit=min(MOST_HITS, 2 * limit),
            min_score=min_score,
            where=where,
            weights=SCALE,
            detail=detail,
            cursor=cursor,
        )
        notes |= dict.fromkeys([*([answer.degraded] if answer.degraded else []), *answer.notes])
        entities_by_key = _entities(memory, answer.hits)
        symbols += [
            Symbol(hit, entities_by_key[hit.key])
            for hit in answer.hits
            if hit.key in entities_by_key and _is_wanted(hit, words)
        ]
        cursor = answer.cursor
        if len(symbols) >= limit or cursor is None:
            return Result(query, answer.project, tuple(symbols[:limit]), tuple(notes))


def _words(query: str) -> str:
    """The query, and the parts of its identifiers as words of their own where no operator rules.

    Raises:
        InvalidInput: It is blank.
    """
    if not query.strip():
        raise InvalidInput("query", query, "must not be blank")
    if lucene.parse(lucene.clean(query)).strict:
        return query
    return f"{query} {text.identifier_parts(query)}".strip()[:QUERY_CHARACTERS]


def _where(scope: str, path: str | None) -> dict[str, Any]:
    """What an entity must be: code, of the scope, at or below the path."""
    attributes: dict[str, Any] = {"test": SCOPES[scope]}
    if path is not None:
        segments = [part for part in path.replace("\\", "/").split("/") if part not in {"", "."}]
        if ".." in segments:
            raise InvalidInput("path", path, "must be a path relative to the project, without `..`")
        if segments:
            attributes["path"] = {"under": "/".join(segments)}
    return {"attributes": attributes}


def _entities(memory: "Memory", hits: tuple[Hit, ...]) -> Mapping[str, Entity]:
    """The code that hits stand for, by key, but what was deleted since or is no code."""
    entities = entities_by_key(memory, (hit.key for hit in hits))
    return {key: each for key, each in entities.items() if each.attributes.keys() >= NEEDED}


def _is_wanted(hit: Hit, words: str) -> bool:
    """Whether a hit is a symbol, or a file that is named or whose own lines matched.

    A file is linked to all that it holds, and its path is a part of its name, so that a question
    for a symbol finds its file too.
    """
    if hit.kind != FILE:
        return True
    if hit.origin == "expanded":
        return False
    query = lucene.parse(lucene.clean(words))
    by_meaning_alone = not hit.matched.text
    if hit.matched.name or query.strict or by_meaning_alone:
        return True
    stems = snippets.stems_of(query)
    own_text = " ".join(passage.text for passage in hit.passages)
    parts = text.split_identifier(f"{own_text} {text.identifier_parts(own_text)}")
    return any((lucene.stem(word) or word.casefold()) in stems for word in parts)
