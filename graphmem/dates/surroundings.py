"""What the words around a date make of it: `not in 2024`, `before the release on 3 May`."""

import re
from collections.abc import Sequence

from graphmem.dates.spans import Span
from graphmem.dates.words import Token

# A date after one of these says when something was not, or when something else was.
BARRING = frozenset(
    {
        "not", "except", "excluding", "outside", "than", "circa", "around", "approximately",
        "roughly", "не", "кроме", "чем",
    }
)  # fmt: skip
# Operators of an event, and at most how many words name it.
BEFORE_EVENT = frozenset({"before", "until", "до"})
AFTER_EVENT = frozenset({"since", "after", "после"})
MOST_EVENT_WORDS = 4
NOT_OF_AN_EVENT = frozenset({"operator", "between", "and", "or"})

# The sign of a name such as `2024.1`, `pre-2025` or `2024_report`.
_NAME_AFTER = re.compile(r"[-/._+@=]*[^\W_]|_")
_NAME_BEFORE = re.compile(r"\w[-/._+@=]$")


def is_barred(question: str, words: Sequence[Token], first_word: int, next_word: int) -> bool:
    """Whether a date must stay in the question, because it does not say when something was said.

    Args:
        question: As somebody asks it.
        words: Its words.
        first_word: The first one of the date.
        next_word: The first one after it.
    """
    start, end = words[first_word].start, words[next_word - 1].end
    if _NAME_BEFORE.search(question, max(start - 2, 0), start) or _NAME_AFTER.match(question, end):
        return True
    if first_word == 0:
        return False
    before = words[first_word - 1]
    if before.text in BARRING:
        return True
    if before.text == "of" and first_word > 1:
        of_what = words[first_word - 2]
        return of_what.text in {"as", "half", "weekend"} or of_what.kind in {"unit", "weekday"}
    # `two days before 5 March`
    is_counted = before.kind == "unit" and words[first_word].value in {"before", "after"}
    return is_counted and words[first_word].kind == "operator"


def bound_of_event(words: Sequence[Token], place: int, span: Span) -> Span:
    """The span that a date means if it is that of an event: `before the release on 3 May`.

    It includes the date itself, since the event may have been at any time of it.

    Args:
        words: Those of the question.
        place: Where the date begins.
        span: What it means otherwise.
    """
    for before in range(place - 1, max(place - MOST_EVENT_WORDS - 2, -1), -1):
        word = words[before]
        if word.text in BEFORE_EVENT | AFTER_EVENT and before < place - 1:
            is_end = word.text in BEFORE_EVENT
            return Span(None, span.end) if is_end else Span(span.start, None)
        if word.kind in NOT_OF_AN_EVENT or not word.text[0].isalnum():
            break
    return span
