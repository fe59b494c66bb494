"""The part of an artifact that is shown: where it matched, prefixes included."""

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from graphmem import lucene, snippets
from graphmem.adapters.forgeplan.profile.artifact import body_of
from graphmem.adapters.forgeplan.profile.ranking import Ranked
from graphmem.adapters.forgeplan.profile.request import LIMIT, Request

if TYPE_CHECKING:
    from graphmem.memory import Memory
    from graphmem.model.answer import Passage

_WORD = re.compile(r"[^\W_]{2,}")


def previews_of(memory: "Memory", request: Request, rows: Sequence[Ranked]) -> Mapping[str, str]:
    """The best-matching part of each artifact, by key; never blank.

    Ranking reads hundreds of hits without their text; this reads the text of those before the last
    that is shown.
    """
    previews = {row.hit.key: row.hit.title or row.hit.name for row in rows}
    if not rows:
        return previews
    deepest = min(LIMIT, 1 + max(row.place for row in rows))
    options = request.options(deepest, "passages", memory.model.calibration)
    answer = memory.search(request.text, **options)
    beginning = _beginning(request)
    passages = {hit.key: hit.passages for hit in answer.hits if hit.key in previews}
    keys_without_hit = [key for key in previews if key not in passages]
    for page in memory.get(keys_without_hit) if keys_without_hit else ():
        key = page.entity.key or ""
        previews[key] = part(body_of(page.entity), beginning) or previews[key]
    excerpts = {
        key: _best_snippet(passages_of_hit, beginning) for key, passages_of_hit in passages.items()
    }
    return previews | {key: text for key, text in excerpts.items() if text}


def _best_snippet(passages: Sequence["Passage"], begins: re.Pattern[str] | None) -> str:
    """The snippet of the first passage, unless only words that begin like the query's matched."""
    first_snippet = passages[0].snippet if passages else ""
    if begins is None or begins.search(first_snippet):
        return first_snippet
    text = next((passage.text for passage in passages if begins.search(passage.text)), None)
    return first_snippet if text is None else part(text, begins)


def part(text: str, begins: re.Pattern[str] | None) -> str:
    """The 240 characters of a text with most of the words that the pattern finds."""
    words = dict.fromkeys(match[0] for match in begins.finditer(text)) if begins else {}
    terms = snippets.terms_of(lucene.parse(" ".join(list(words)[: lucene.TERMS])))
    return snippets.snippet(text, terms)


def _beginning(request: Request) -> re.Pattern[str] | None:
    """A pattern for an id, or for words that begin like one of a query's; None for no words."""
    words = request.id_forms or tuple(dict.fromkeys(_WORD.findall(request.query)))[: lucene.TERMS]
    patterns = [re.escape(word) for word in words if not lucene.is_stop_word(word)]
    ending = "(?![^\\W_])" if request.id_forms else "[^\\W_]*"
    return (
        re.compile(rf"(?<![^\W_])(?:{'|'.join(patterns)}){ending}", re.IGNORECASE)
        if patterns
        else None
    )
