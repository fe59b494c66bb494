"""Which words of a query may be the name of an entity, for the index of names."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from graphmem import lucene, text
from graphmem.model.limits import NAME_CHARACTERS
from graphmem.model.spelling import plain_form, typed_marks
from graphmem.search.code import names as code_names
from graphmem.search.code.names import PUNCTUATION, QUOTES, WORDS
from graphmem.search.code.paths import SEPARATORS, decoded, path_names
from graphmem.search.compiled_filters import CompiledFilters
from graphmem.search.inner_names import inner_names
from graphmem.search.request import SearchRequest

_IDENTIFIER = re.compile(r"[\w-]+")
# Marks that word processors make of those of keyboards.
_PRINTED = tuple(map(str.maketrans, ({"'": "’"}, {"-": "–"}, {"-": "‐"}, {"'": "’", "-": "‐"})))
_MARKED = re.compile("['\"-]")
OTHER_SPELLINGS = 200
# Words of a query whose spelling is compared with that of names, and of a run of them.
SPELLED_WORDS = 60
SPELLED_RUN = 4


def possible_names(request: SearchRequest) -> list[str]:
    """The words and runs of words of a query that may be a name, folded as names are.

    Beside other words, a stop word or a word of questions counts only if it is written as a name:
    in quotes, or with a capital that the beginning of the sentence does not explain. So `It depends
    on Redis` may name "depends", "on redis" and others, but not "it", and `what is FOr` may name
    "for". Otherwise a class `FOr`, a film "It" or a function `Where` would match every other
    question.
    """
    readable_query = decoded(request.text)
    grams = text.grams(readable_query)
    names = [
        *islice(_written_otherwise(readable_query, grams), OTHER_SPELLINGS),
        *map(text.name_form, _identifiers(request.text)),
        *map(text.name_form, code_names.members(request.text)),
        *map(text.name_form, code_names.symbols(request.text)),
        *map(text.name_form, code_names.types(request.text)),
        *map(text.name_form, _other_styles(request.text)),
        *_with_nouns(grams),
        *inner_names(request.text),
        *map(text.name_form, path_names(readable_query)),
        *map(text.name_form, [*request.lines.values(), *request.symbols.names]),
    ]
    modules = frozenset(request.symbols.modules)
    names = [name for name in names if name not in modules]
    tree = request.query.tree
    if tree is None:
        return names
    leaves = _leaves_without_field(tree)
    words = [leaf.text for leaf in leaves if isinstance(leaf, lucene.Word)]
    tokens = _tokens(words)
    languages = request.plan.languages
    content = lucene.without_stop_words(tokens, languages)
    if lucene.speaks_english(languages):
        content = [word for word in content if not lucene.is_question_word(word)]
    has_only_stop_words = not content and len(words) == len(leaves)
    if has_only_stop_words:
        return names
    quoted_words = [
        leaf.words[0] for leaf in leaves if isinstance(leaf, lucene.Phrase) and len(leaf.words) == 1
    ]
    words_like_names = [
        word for number, word in enumerate(words) if _is_like_name(word, is_first=number == 0)
    ]
    excluded = {*tokens} - {*content, *_tokens(words_like_names), *_tokens(quoted_words)}
    return [name for name in names if name not in excluded]


def spellings(query: str) -> list[str]:
    """The names that a query may have, as it writes them, in capital and small letters.

    They are its words, runs of up to four words, and the symbols and members that these may be.
    """
    words = [word.strip(PUNCTUATION) for word in query.split()[:SPELLED_WORDS]]
    runs = (
        " ".join(words[start : start + size])
        for size in range(1, SPELLED_RUN + 1)
        for start in range(len(words) - size + 1)
    )
    symbols = (*code_names.symbols(query), *(f"{word}()" for word in words))
    names = (query.strip(), *code_names.members(query), *runs, *symbols)
    return [name for name in dict.fromkeys(names) if 0 < len(name) <= NAME_CHARACTERS]


def _identifiers(query: str) -> list[str]:
    """What the query as a whole may be in code: `add()` of `add`, `jsonreader` of `json reader`.

    A symbol of one word is called by its parentheses, lest every question with `add` names it; two
    words may be a type and its member, such as `server.start` and `server::start`.
    """
    words = query.split()
    identifiers: list[str] = []
    if len(words) == 1:
        identifiers = [f"{words[0].strip(QUOTES)}()"]
    elif 1 < len(words) <= text.GRAM_WORDS:
        words[-1] = words[-1].removesuffix("()")
        identifiers = [mark.join(words) for mark in ("", "_", "-", *SEPARATORS)]
        identifiers.append(f"_{'_'.join(words)}")
    return identifiers


def _other_styles(query: str) -> Iterator[str]:
    """Identifiers as other languages write them: `readAll`, `read-all` where it has `read_all`."""
    for word in query.split()[:WORDS]:
        identifier = word.strip(PUNCTUATION)
        parts = text.split_identifier(identifier) if _IDENTIFIER.fullmatch(identifier) else []
        if 1 < len(parts) <= text.GRAM_WORDS:
            snake_case = "_".join(parts)
            yield from ("".join(parts), "-".join(parts), snake_case, f"_{snake_case}")


def _written_otherwise(query: str, grams: Sequence[str]) -> Iterator[str]:
    """What names may be written as that have other marks or letters than the query, shortest first.

    They are `o ’ reilly` for `o ' reilly`, `drop - in` for `drop ‐ in`, and those of plain forms.

    Args:
        query: As people read it.
        grams: Those of the query, longest first.
    """
    plain_query = " ".join(map(plain_form, query.split()))
    if text.normalised(plain_query) != text.normalised(query):
        yield from reversed(text.grams(plain_query))
    if not _MARKED.search(typed_marks(query)):
        return
    for gram in reversed(grams):
        typed = typed_marks(gram.replace("ʼ", " ' "))
        forms = (typed, *(typed.translate(printed) for printed in _PRINTED))
        yield from (form for form in dict.fromkeys(forms) if form != gram)


def _with_nouns(names: Sequence[str]) -> list[str]:
    """Names, and those that end in a Korean particle without it too, longest first."""
    words = (name.rpartition(" ") for name in names if not name.isascii())
    nouns = (f"{before}{space}{lucene.without_particle(last)}" for before, space, last in words)
    return sorted(dict.fromkeys([*names, *nouns]), key=lambda name: -name.count(" "))


def name_queries(names: Sequence[str], filters: CompiledFilters) -> list[str]:
    """The Lucene text that finds entities by their names; none if there are no names."""
    query = lucene.handles(names, required=filters.required, forbidden=filters.forbidden)
    return [query] if query else []


def _leaves_without_field(tree: lucene.Node) -> list[lucene.Node]:
    """The leaves of a query but those of a field, such as `redis` in `tag:redis`."""
    remainder = lucene.replace_leaves(tree, lambda leaf, field: leaf if field is None else None)
    return [] if remainder is None else lucene.leaves(remainder)


def _tokens(words: Iterable[str]) -> list[str]:
    return [token for word in words for token in text.name_tokens(word) if token.isalnum()]


def _is_like_name(word: str, *, is_first: bool) -> bool:
    """Whether a word has a quote or a capital; the first letter of a query says nothing."""
    significant = word[1:] if is_first else word
    return significant != significant.lower() or word[0] in QUOTES
