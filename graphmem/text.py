"""Names, keys, filter tokens and identifiers: what text becomes before it is stored."""

import hashlib
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from itertools import chain, islice

from graphmem.model.spelling import SIGNS, identifier_spans, plain_forms, typed_marks
from graphmem.model.visible import visible

# What stands between the path of a file and the name of a symbol of code in it.
SYMBOL_MARK = "::"
PATH_SEGMENTS = 16
PATH_CHARACTERS = 4096
# The digests of longer values are not remembered.
REMEMBERED = 1000
GRAM_WORDS = 12
GRAM_TOKENS = 66
# Runs beside those of up to 12 of the first 66 tokens.
LONG_GRAMS = 100
# What may stand around a word on either side, such as `("` and `").`.
MARKS_AROUND = 3

_IDENTIFIER = re.compile(r"[^\W_]+(?:[_./:\-]+[^\W_]+)*", re.UNICODE)
_SEPARATORS = re.compile(rf"(?:[^\w{SIGNS}]|_)+")
_CASE_CHANGE = re.compile(r"(?<=[a-zа-яё\d])(?=[A-ZА-ЯЁ])|(?<=[A-ZА-ЯЁ])(?=[A-ZА-ЯЁ][a-zа-яё])")
_NAME_TOKEN = re.compile(r"[^\W_]+|[^\w\s]|_+")
# A day and a time, as ISO 8601 has them; `fromisoformat` takes any character between the two.
_MOMENT = re.compile(r"\s{0,9}\d{4}-\d\d-\d\d[Tt ]\d\d[\d:.,+\-Zz]{0,30}\s{0,9}", re.ASCII)

_GREEK = re.compile(r"[\u0370-\u03ff]")
_DOT_ABOVE = "\u0307"
_ONE_CASE = {"ı": "i", "œ": "oe", "æ": "ae"}


def normalised(name: str) -> str:
    """Fold a name for comparison: NFKC, case-folded, spaces collapsed; letters of every script."""
    folded = unicodedata.normalize("NFKC", name).casefold()
    return " ".join(unicodedata.normalize("NFKC", folded).split())


def caseless(name: str) -> str:
    """A folded name without what only some ways to write it have: capitals, keyboards.

    Dashes are hyphens there, and quotation marks straight. Small letters of `İ` are `i` and a dot,
    those of the Turkish `I` are `ı`; Greek capitals have no accents; `œ` is written `oe` as well.
    Keys keep all of it.
    """
    base, kept = "", []
    for mark in unicodedata.normalize("NFD", normalised(typed_marks(name))):
        if not unicodedata.combining(mark):
            base = mark
        elif _GREEK.match(base) or (base, mark) == ("i", _DOT_ABOVE):
            continue
        kept.append(_ONE_CASE.get(mark, mark))
    return unicodedata.normalize("NFC", "".join(kept))


def key(project: str, name: str) -> str:
    """The key of the entity of that name in a project: unique over the whole store."""
    return f"{project}#{normalised(name)}"


def project_of(key: str) -> str:
    """The project of the entity of a key."""
    return key.partition("#")[0]


def name_of(key: str) -> str:
    """The folded name that a key is made of."""
    return key.partition("#")[2]


def key_range(project: str) -> tuple[str, str]:
    """The bounds between which the keys of a project lie, the first included, the last not."""
    return f"{project}#", f"{project}{chr(ord('#') + 1)}"


def name_tokens(text: str) -> list[str]:
    """Cut folded text into words and single marks, so that `C++?` holds the tokens of `C++`."""
    return _NAME_TOKEN.findall(_shown(text))


def _shown(text: str) -> str:
    """Folded text without what nobody sees: whoever is shown a name finds the entity by it."""
    return visible(normalised(text))


def name_form(name: str) -> str:
    """The form in which names are found inside queries: its tokens with one space between."""
    return " ".join(name_tokens(name))


def grams(query: str) -> list[str]:
    """The names a query may contain, longest first, in the form of `name_form`.

    Every run of up to 12 of its first 66 tokens, and at most 100 more: the whole query, then runs
    of up to 12 of its first 66 words, shorter ones first, each with and without the marks around
    it. One word may be a path of twenty tokens. No run begins or ends inside of a name in code,
    such as `get_user` or `app/store.py`.
    """
    shown_query = _shown(query)
    words = [_NAME_TOKEN.findall(word) for word in shown_query.split()]
    all_tokens = list(chain.from_iterable(words))
    identifiers = identifier_spans(shown_query)
    inside = {
        number
        for number, token in enumerate(islice(_NAME_TOKEN.finditer(shown_query), GRAM_TOKENS))
        if any(first < token.start() < last for first, last in identifiers)
    }
    unique_grams = {
        " ".join(all_tokens[start:end]): None
        for start, end in _runs(len(all_tokens[:GRAM_TOKENS]))
        if not inside & {start, end} and _says(all_tokens[start:end])
    }
    limit = len(unique_grams) + LONG_GRAMS
    runs_of_words = _runs(len(words[:GRAM_TOKENS]))
    of_words = (list(chain.from_iterable(words[start:end])) for start, end in runs_of_words)
    for run in chain([all_tokens], of_words):
        for run_without_marks in _without_marks(run):
            gram = " ".join(run_without_marks)
            if gram not in unique_grams and len(unique_grams) < limit and _says(run_without_marks):
                unique_grams[gram] = None
    return sorted(unique_grams, key=lambda gram: -gram.count(" "))


def _runs(parts: int) -> Iterator[tuple[int, int]]:
    """Where every run of up to 12 of so many parts begins and ends, shortest first."""
    for size in range(1, min(GRAM_WORDS, parts) + 1):
        for start in range(parts - size + 1):
            yield start, start + size


def _says(tokens: Iterable[str]) -> bool:
    return any(mark.isalnum() for token in tokens for mark in token)


def _without_marks(tokens: Sequence[str]) -> Iterator[Sequence[str]]:
    """A run as it stands, and without one to three of the marks at either end."""
    if tokens and not _is_mark(tokens[0]) and not _is_mark(tokens[-1]):
        yield tokens
        return
    marks_before = next((i for i, token in enumerate(tokens) if not _is_mark(token)), 0)
    marks_after = next((i for i, token in enumerate(reversed(tokens)) if not _is_mark(token)), 0)
    for left in range(min(marks_before, MARKS_AROUND) + 1):
        for right in range(min(marks_after, MARKS_AROUND) + 1):
            yield tokens[left : len(tokens) - right]


def _is_mark(token: str) -> bool:
    return not (token[0].isalnum() or token[0] == "_")


def token(facet: str, value: str) -> str:
    """The word that stands for a facet's value inside the text indexes.

    Its length is fixed and its last character is a digit: no analyzer splits or stems it. 80 bits
    of BLAKE2b keep two values apart.
    """
    return _token(facet, value) if len(value) <= REMEMBERED else _token.__wrapped__(facet, value)


@lru_cache(maxsize=20_000)
def _token(facet: str, value: str) -> str:
    digest = hashlib.blake2b(f"{facet}\0{value}".encode(), digest_size=10).hexdigest()
    return f"g{digest}0"


# Stands for an entity whose whole text operators are matched in: it has several passages, or one
# that is dated, which is left out of that text.
SEVERAL = token("passages", "several")
# Stands for an entity whose later passages lack the filter tokens of tags, attributes and paths.
WIDE = token("passages", "wide")


def facet_tokens(
    *,
    project: str,
    live: bool,
    kind: str,
    status: str,
    category: str | None,
    tags: Iterable[str],
    attributes: Iterable[tuple[str, object]] = (),
    paths: Iterable[tuple[str, str]] = (),
    several: bool = False,
) -> str:
    """The filter tokens of an entity and its passages, one per facet value, separated by spaces.

    `several` says that operators are matched in its whole text.
    """
    tokens = [
        token("project", project),
        token("live", str(live)),
        token("kind", normalised(kind)),
        token("status", normalised(status)),
    ]
    if category is not None:
        tokens.append(token("category", normalised(category)))
    tokens.extend(token("tag", normalised(tag)) for tag in tags)
    for name, value in attributes:
        tokens.extend(attribute_tokens(name, value))
    tokens.extend(path_token(name, above) for name, path in paths for above in ancestors(path))
    if several:
        tokens.append(SEVERAL)
    return " ".join(dict.fromkeys(tokens))


def attribute_tokens(name: str, value: object) -> list[str]:
    """The words an entity carries for a custom attribute's value: a moment is on its day, too."""
    days = [value.date()] if isinstance(value, datetime) else []
    return [attribute_token(name, form) for form in (value, *days)]


def attribute_token(name: str, value: object) -> str:
    """The word that stands for a custom attribute's exact value.

    Case does not count, 5 is 5.0, and a text that says a moment is that moment; without a zone it
    is UTC.
    """
    form = int(value) if isinstance(value, float) and value.is_integer() else value
    if isinstance(form, str):
        form = _moment(form) or form
    return token("attribute", f"{normalised(name)}\0{normalised(str(form))}")


def _moment(text: str) -> datetime | None:
    """The moment a text says, in UTC; None for a day alone and for any other text."""
    if not _MOMENT.fullmatch(text):
        return None
    try:
        moment = datetime.fromisoformat(text.strip())
        return moment.replace(tzinfo=moment.tzinfo or UTC).astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def path_token(name: str, path: str) -> str:
    """The word that stands for a property being a path below another, or that path itself."""
    return token("under", f"{normalised(name)}\0{'/'.join(segments(path))}")


def segments(path: str) -> list[str]:
    """The segments of a path, folded; empty ones do not count."""
    return [normalised(part) for part in path.split("/") if part.strip()]


def ancestors(path: str) -> list[str]:
    """A path and the paths above it, at most 16.

    None for a text that is no path: it has several lines or more than 4,096 characters.
    """
    parts = segments(path)[:PATH_SEGMENTS]
    if not parts or len(path) > PATH_CHARACTERS or "\n" in path:
        return []
    return ["/".join(parts[: end + 1]) for end in range(len(parts))]


def handles(names: Iterable[str]) -> str:
    """The words that stand for an entity's whole names inside the name index."""
    return " ".join(dict.fromkeys(token("name", form) for form in map(name_form, names) if form))


def other_words(text: str) -> str:
    """The words by which a text is found beside those in it: parts of identifiers, plain forms."""
    return " ".join(filter(None, (identifier_parts(text), *plain_forms(text))))


def identifier_parts(text: str) -> str:
    """The words inside identifiers: `validateToken HTTPServer` gives `validate Token HTTP Server`.

    Only identifiers that have parts are taken; the analyzers see the whole ones in the text.
    """
    parts: dict[str, None] = {}
    for identifier in dict.fromkeys(_IDENTIFIER.findall(text)):
        # Most words are lower case throughout, and have no parts.
        if not (identifier.islower() and identifier.isalnum()):
            pieces = split_identifier(identifier)
            if len(pieces) > 1:
                parts.update(dict.fromkeys(pieces))
    return " ".join(parts)


def split_identifier(word: str) -> list[str]:
    """Split at case changes, underscores, dots, slashes, colons and hyphens."""
    return [
        piece for chunk in _SEPARATORS.split(word) for piece in _CASE_CHANGE.split(chunk) if piece
    ]


def digest(*parts: object) -> str:
    """A short digest of values in order, for telling whether something changed."""
    text = "\0".join(repr(part) for part in parts)
    return hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=12).hexdigest()
