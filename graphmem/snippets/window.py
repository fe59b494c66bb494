"""The part of a text that is shown: where most of what was looked for stands."""

import re
from collections import Counter
from collections.abc import Sequence

from graphmem.model.spelling import CLAUSE_ENDS, word_end

WINDOW = 240
# From so near to the beginning a window begins there.
NEAR = WINDOW // 16

_BEGINNING = re.compile(f"[ {CLAUSE_ENDS}]")

# Where a match begins and ends, and what of the query it matches.
Span = tuple[int, int, str]


def best_window(line: str, spans: Sequence[Span]) -> tuple[int, int]:
    """Where the 240 characters begin and end that hold most of the matches, cut at words."""
    if len(line) <= WINDOW:
        return 0, len(line)
    first_match = _densest(spans, WINDOW * 3 // 4)
    start = max(0, min(first_match - WINDOW // 8, len(line) - WINDOW))
    start = start if start > NEAR else 0
    if start and _BEGINNING.match(line, start - 1) is None:
        beginning = _BEGINNING.search(line, start, first_match)
        start = start if beginning is None else beginning.end()
    end = min(len(line), start + WINDOW)
    return start, end if end == len(line) else word_end(line, start, end)


def _densest(spans: Sequence[Span], reach: int) -> int:
    """The first match from which on most different words of the query are within reach; else 0."""
    most_words, start, next_index = 0, 0, 0
    words_in_reach: Counter[str] = Counter()
    for index, (span_start, _, query_word) in enumerate(spans):
        while next_index < len(spans) and spans[next_index][1] <= span_start + reach:
            words_in_reach[spans[next_index][2]] += 1
            next_index += 1
        if len(words_in_reach) > most_words:
            most_words, start = len(words_in_reach), span_start
        if next_index <= index:
            next_index = index + 1
            continue
        words_in_reach[query_word] -= 1
        if not words_in_reach[query_word]:
            del words_in_reach[query_word]
    return start
