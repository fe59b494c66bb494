"""Names, keys, filter tokens, identifiers and passages: what text becomes before it is stored."""

import hashlib
import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache

from semantic_text_splitter import MarkdownSplitter

# A passage fits the default model (256 word pieces) in English; in other scripts the model reads
# its beginning, and the text indexes read all of it.
PASSAGE_CHARACTERS = (600, 1000)
BLOCK_CHARACTERS = 50_000
PATH_SEGMENTS = 16
# Values of attributes up to so many characters are filter words.
SHORT_VALUE = 200
PATH_CHARACTERS = 512
GRAM_WORDS = 12
GRAMS = 800

_IDENTIFIER = re.compile(r"[^\W_]+(?:[_./:\-]+[^\W_]+)*", re.UNICODE)
_CASE_CHANGE = re.compile(r"(?<=[a-zа-яё\d])(?=[A-ZА-ЯЁ])|(?<=[A-ZА-ЯЁ])(?=[A-ZА-ЯЁ][a-zа-яё])")
_NAME_TOKEN = re.compile(r"[^\W_]+|[^\w\s]|_+")


def normalised(name: str) -> str:
    """Fold a name for comparison: NFKC, case-folded, spaces collapsed; letters of every script."""
    folded = unicodedata.normalize("NFKC", name).casefold()
    return " ".join(unicodedata.normalize("NFKC", folded).split())


def key(project: str, name: str) -> str:
    """The key of the entity of that name in a project: unique over the whole store."""
    return f"{project}#{normalised(name)}"


def name_tokens(text: str) -> list[str]:
    """Cut folded text into words and single marks, so that `C++?` holds the tokens of `C++`."""
    return _NAME_TOKEN.findall(normalised(text))


def name_form(name: str) -> str:
    """The form in which names are found inside queries: its tokens with one space between."""
    return " ".join(name_tokens(name))


def grams(query: str) -> list[str]:
    """Every run of up to 12 tokens of a query, longest first: the names it may contain.

    At most 800 are given, so a query of hundreds of words is looked at from its beginning.
    """
    tokens = name_tokens(query)
    found: dict[str, None] = {}
    budget = max(1, GRAMS // GRAM_WORDS)
    if len(tokens) > budget:
        tokens = tokens[:budget]
    for size in range(min(GRAM_WORDS, len(tokens)), 0, -1):
        for start in range(len(tokens) - size + 1):
            found[" ".join(tokens[start : start + size])] = None
    return [gram for gram in found if any(mark.isalnum() for mark in gram)]


@lru_cache(maxsize=20_000)
def token(facet: str, value: str) -> str:
    """The word that stands for a facet's value inside the text indexes.

    Its length is fixed and its last character is a digit: no analyzer splits or stems it. 80 bits
    of BLAKE2b keep two values apart.
    """
    digest = hashlib.blake2b(f"{facet}\0{value}".encode(), digest_size=10).hexdigest()
    return f"g{digest}0"


# Stands for an entity that has more than one passage.
SEVERAL = token("passages", "several")


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
    """The filter words of an entity and its passages, one per facet value, separated by spaces.

    `several` says that it has more than one passage.
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
    tokens.extend(attribute_token(name, value) for name, value in attributes)
    tokens.extend(path_token(name, above) for name, path in paths for above in ancestors(path))
    if several:
        tokens.append(SEVERAL)
    return " ".join(dict.fromkeys(tokens))


def attribute_token(name: str, value: object) -> str:
    """The word that stands for an own attribute's exact value; case does not count, 5 is 5.0."""
    plain = int(value) if isinstance(value, float) and value.is_integer() else value
    return token("attribute", f"{normalised(name)}\0{normalised(str(plain))}")


def path_token(name: str, path: str) -> str:
    """The word that stands for a property being a path below another, or that path itself."""
    return token("under", f"{normalised(name)}\0{'/'.join(segments(path))}")


def segments(path: str) -> list[str]:
    """The segments of a path, folded; empty ones do not count."""
    return [normalised(part) for part in path.split("/") if part.strip()]


def ancestors(path: str) -> list[str]:
    """A path and the paths above it, at most 16; none for a text that is no path."""
    parts = segments(path)[:PATH_SEGMENTS]
    if not parts or len(path) > PATH_CHARACTERS or "\n" in path:
        return []
    return ["/".join(parts[: end + 1]) for end in range(len(parts))]


def handles(names: Iterable[str]) -> str:
    """The words that stand for an entity's whole names inside the name index."""
    return " ".join(dict.fromkeys(token("name", form) for form in map(name_form, names) if form))


def identifier_parts(text: str) -> str:
    """The words inside identifiers: `validateToken HTTPServer` gives `validate Token HTTP Server`.

    Only identifiers that have parts are taken; the analyzers see the whole ones in the text.
    """
    parts: dict[str, None] = {}
    for found in _IDENTIFIER.findall(text):
        pieces = split_identifier(found)
        if len(pieces) > 1:
            parts.update(dict.fromkeys(pieces))
    return " ".join(parts)


def split_identifier(word: str) -> list[str]:
    """Split at case changes, underscores, dots, slashes, colons and hyphens."""
    return [
        piece for chunk in re.split(r"[\W_]+", word) for piece in _CASE_CHANGE.split(chunk) if piece
    ]


def passages(text: str) -> list[str]:
    """Split a text at headings and paragraphs; the pieces joined give the text back exactly.

    Each has at most 1,000 characters. A blank text has no passages.
    """
    if not text.strip():
        return []
    if len(text) <= PASSAGE_CHARACTERS[1]:
        return [text]
    splitter = MarkdownSplitter(PASSAGE_CHARACTERS, trim=False)
    return [piece for block in _blocks(text) for piece in splitter.chunks(block)]


def _blocks(text: str) -> Iterator[str]:
    """Cut a huge text at a paragraph, line or word: the splitter's time grows with the square."""
    start = 0
    while len(text) - start > BLOCK_CHARACTERS:
        window = text[start : start + BLOCK_CHARACTERS]
        for mark in ("\n\n", "\n", " "):
            if (found := window.rfind(mark)) > BLOCK_CHARACTERS // 2:
                end = found + len(mark)
                break
        else:
            end = BLOCK_CHARACTERS
        yield text[start : start + end]
        start += end
    yield text[start:]


def digest(*parts: object) -> str:
    """A short digest of values in order, for telling whether something changed."""
    written = "\0".join(repr(part) for part in parts)
    return hashlib.blake2b(written.encode("utf-8", "replace"), digest_size=12).hexdigest()
