"""Words of scripts without spaces between them, as the indexes can find them.

Most analyzers make one word of each Chinese character and Hiragana letter, one of a whole run of
Katakana, Thai, Lao, Khmer or Burmese letters, and one of a Korean word together with its particle.
What is looked for in such an index is therefore said in pairs of characters, in patterns and in
beginnings. `cjk` cuts texts into pairs and `thai` knows words: their indexes cut queries likewise.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from graphmem.lucene.fields import PASSAGE_FIELDS
from graphmem.lucene.korean import without_particle
from graphmem.lucene.language import alphabet
from graphmem.lucene.tree import (
    CUTS,
    LEADING,
    PATTERN_CHARACTERS,
    AllOf,
    AnyOf,
    Field,
    Fuzzy,
    Node,
    Not,
    Pattern,
    Phrase,
    Piece,
    Word,
    any_of,
    is_everything,
    leaves,
)
from graphmem.model.spelling import plain_form, spellings

# Characters of words without spaces in one ranked query: each is a clause in three fields.
CHARACTERS = 64

# How a letter is cut by an analyzer of another language: alone, as a run, or with its particle.
_SIGN, _RUN, _ATTACHED, _CUT, _PLAIN = "sign", "run", "attached", "cut", "plain"
_SORTS = {
    "CJK": _SIGN, "HIRAGANA": _SIGN, "IDEOGRAPHIC": _SIGN, "HENTAIGANA": _SIGN,
    "KATAKANA": _RUN, "THAI": _RUN, "LAO": _RUN, "KHMER": _RUN, "MYANMAR": _RUN,
    "HANGUL": _ATTACHED,
}  # fmt: skip
# Marks that belong to the Japanese letter before them.
_CONTINUING = "ーｰﾞﾟ"
# The languages whose analyzers cut by themselves, and which scripts.
_CUTTERS = {
    "cjk": frozenset({"CJK", "HIRAGANA", "IDEOGRAPHIC", "KATAKANA", "HANGUL"}),
    "thai": frozenset({"THAI"}),
}


def shorten_unspaced(tree: Node) -> tuple[Node | None, list[str]]:
    """Keep the first 64 characters of words without spaces; a sentence where that cut something.

    Args:
        tree: Of a ranked query: a word, or alternatives that are words.
    """
    remainder = CHARACTERS
    kept_leaves: list[Node] = []
    is_cut = False
    for leaf in leaves(tree):
        if not isinstance(leaf, Word) or leaf.text.isascii():
            kept_leaves.append(leaf)
            continue
        count = unspaced_characters(leaf.text)
        is_cut = is_cut or count > remainder
        if count <= remainder:
            kept_leaves.append(leaf)
        elif remainder > 0:
            kept_leaves.append(Word(leaf.text[:remainder]))
        remainder = max(0, remainder - count)
    if not is_cut:
        return tree, []
    note = f"only the first {CHARACTERS} characters written without spaces were used"
    return any_of(kept_leaves), [note]


def unspaced_characters(word: str) -> int:
    """How many characters of scripts without spaces between words there are."""
    return 0 if word.isascii() else sum(alphabet(letter) in _SORTS for letter in word)


def leading(pieces: Sequence[Piece]) -> int:
    """How many words begin with a wildcard where a pattern is cut as the indexes cut words."""
    return sum(isinstance(part, Pattern) and part.pieces[0].wild for part in _cut_pattern(pieces))


def leading_in(tree: Node) -> int:
    """How many clauses begin with a wildcard where a tree is asked of texts as they stand."""
    count = 0
    for leaf in leaves(tree):
        match leaf:
            case Word(word):
                count += sum(
                    _is_inside(sort, run)
                    for form in spellings(word)
                    for sort, run in dict.fromkeys(_runs(form, ""))
                )
            case Pattern(pieces) if not is_everything(leaf):
                count += leading(pieces)
    return count


def word_parts(words: Sequence[Word], *, language: str) -> tuple[Node, ...]:
    """What a ranked query asks the index of a language for: words, or their parts.

    A question without spaces becomes its pairs of characters, of which more rank higher.
    """
    cutter = _Cutter(language, LEADING)
    alternatives: dict[Node, None] = {}
    for word in words:
        for form in spellings(word.text, language):
            alternatives.update(dict.fromkeys(cutter.parts(form)))
    return tuple(alternatives)


def whole_words(node: Node, *, language: str = "") -> Node:
    """What a query with operators asks the index of a language for: each word whole.

    Without a language that is an index of words as they stand.
    """
    leading_count = sum(leading(leaf.pieces) for leaf in leaves(node) if isinstance(leaf, Pattern))
    return _Cutter(language, LEADING - leading_count).whole(node)


@dataclass(slots=True)
class _Cutter:
    """Cuts words for the index of a language.

    Args:
        language: Its name; none or `exact` for an index of words as they stand.
        leading: How many clauses may still begin with a wildcard.
    """

    language: str
    leading: int

    def whole(self, node: Node) -> Node:
        match node:
            case AllOf(nodes) | AnyOf(nodes):
                return type(node)(tuple(map(self.whole, nodes)))
            case Not(child):
                return Not(self.whole(child))
            # The value of a custom attribute is compared whole.
            case Field(name, child) if name.casefold() in PASSAGE_FIELDS.by_name:
                return Field(name, self.whole(child))
            case _:
                return self._leaf(node)

    def parts(self, word: str) -> Iterable[Node]:
        for sort, run in _runs(word, self.language) or [(_PLAIN, word)]:
            if sort == _SIGN and len(run) > 1:
                yield from (Phrase((run[place : place + 2],)) for place in range(len(run) - 1))
                continue
            yield Word(run)
            yield from self._patterns(sort, run)

    def _leaf(self, leaf: Node) -> Node:
        match leaf:
            case Word(word):
                forms = [self._whole_word(form) for form in spellings(word, self.language)]
                return forms[0] if len(forms) == 1 else AnyOf(tuple(forms))
            case Pattern(pieces) if any(_has_signs(piece.text) for piece in pieces):
                return _all_of(self._whole_word(piece.text) for piece in pieces if not piece.wild)
            case Pattern(pieces):
                is_cut = any(CUTS.search(piece.text) for piece in pieces)
                return _all_of(_cut_pattern(pieces)) if is_cut else leaf
            case Phrase(words, slop):
                plain_phrase = Phrase(tuple(map(plain_form, words)), slop)
                return leaf if plain_phrase == leaf else AnyOf((leaf, plain_phrase))
            case Fuzzy(word, distance):
                return _cut_fuzzy(plain_form(word), distance)
            case _:
                return leaf

    def _whole_word(self, word: str) -> Node:
        runs = _runs(word, self.language)
        if runs == [(_PLAIN, word)]:
            return Word(word)
        if {sort for sort, _ in runs} <= {_SIGN, _CUT, _PLAIN}:
            return Phrase((word,))
        return _all_of(self._run(sort, run) for sort, run in runs)

    def _run(self, sort: str, run: str) -> Node:
        if sort in {_SIGN, _CUT}:
            return Phrase((run,))
        patterns = self._patterns(sort, run)
        return AnyOf((Word(run), *patterns)) if patterns else Word(run)

    def _patterns(self, sort: str, run: str) -> list[Pattern]:
        """Patterns that also find a run inside a longer one, or with any particle."""
        anything = Piece("*", wild=True)
        if _is_inside(sort, run):
            self.leading -= 1
            beginning = (anything,) if self.leading >= 0 else ()
            return [Pattern((*beginning, Piece(without_last_mark(run)), anything))]
        if sort == _ATTACHED and 1 < len(run) <= PATTERN_CHARACTERS:
            words = dict.fromkeys((run, without_particle(run)))
            return [Pattern((Piece(word), anything)) for word in words]
        return []


def _is_inside(sort: str, run: str) -> bool:
    """Whether a run is also looked for inside longer ones."""
    return sort == _RUN and 1 < len(run) <= PATTERN_CHARACTERS


def without_last_mark(run: str) -> str:
    """A run without the long vowel at its end, which is often left out: `サーバー` is `サーバ`."""
    return run.rstrip("ー") if len(run.rstrip("ー")) > 1 else run


def _cut_fuzzy(word: str, distance: int) -> Node:
    """A fuzzy word, cut where the indexes cut words; of signs it is a phrase."""
    if _has_signs(word):
        return Phrase((word,), distance)
    parts = [part for part in CUTS.split(word) if any(map(str.isalnum, part))]
    return _all_of(Fuzzy(part, distance) for part in parts or [word])


def _cut_pattern(pieces: Sequence[Piece]) -> list[Node]:
    """The parts of a pattern, cut where the indexes cut words: `e-mail*` is `e` and `mail*`."""
    runs: list[list[Piece]] = [[]]
    for piece in pieces:
        if piece.wild:
            runs[-1].append(piece)
            continue
        head, *tail = CUTS.split(piece.text)
        runs[-1] += [Piece(head)] * bool(head)
        runs += [[Piece(part)] * bool(part) for part in tail]
    runs_with_letters = [
        run for run in runs if any(map(str.isalnum, "".join(piece.text for piece in run)))
    ]
    return [
        Pattern(tuple(run)) if any(piece.wild for piece in run) else Word(run[0].text)
        for run in runs_with_letters or [list(pieces)]
    ]


def marked_runs(word: str) -> tuple[list[str], list[str]]:
    """What of a word without spaces a ranked query finds in texts: runs, and pairs of characters.

    Pairs that begin with Hiragana are left out: nearly every sentence has them.
    """
    runs: list[str] = []
    pairs: list[str] = []
    parts = _runs(plain_form(word), "")
    for sort, run in parts:
        if sort == _SIGN and (len(run) > 1 or len(parts) > 1):
            pairs += [run[place : place + 2] for place in range(len(run) - 1)]
        elif sort == _RUN:
            runs.append(without_last_mark(run))
        elif sort == _ATTACHED:
            runs.append(without_particle(run))
        elif len(run) > 1 or len(parts) == 1:
            runs.append(run)
    telling_pairs = [pair for pair in pairs if alphabet(pair[0]) != "HIRAGANA"]
    return ([*runs, word], []) if not runs and not telling_pairs else (runs, telling_pairs)


def is_unspaced(word: str) -> bool:
    """Whether a word has letters of a script that puts no spaces between words."""
    return not word.isascii() and any(alphabet(letter) in _SORTS for letter in word)


def _has_signs(word: str) -> bool:
    return any(_SORTS.get(alphabet(letter)) == _SIGN for letter in word)


def _runs(word: str, language: str) -> list[tuple[str, str]]:
    """Cut a word where the sort of its letters changes; what holds no letter or digit is left."""
    if word.isascii():
        return [(_PLAIN, word)]
    cut_scripts = _CUTTERS.get(language, frozenset())
    sorts: list[str] = []
    for letter in word:
        name = alphabet(letter)
        if letter in _CONTINUING and sorts:
            sorts.append(sorts[-1])
        else:
            sorts.append(_CUT if name in cut_scripts else _SORTS.get(name, _PLAIN))
    if set(sorts) <= {_PLAIN}:
        return [(_PLAIN, word)]
    runs = groupby(zip(sorts, word, strict=True), key=lambda pair: pair[0])
    texts = [(sort, "".join(letter for _, letter in pairs)) for sort, pairs in runs]
    return [(sort, run) for sort, run in texts if any(map(str.isalnum, run))]


def _all_of(nodes: Iterable[Node]) -> Node:
    distinct_nodes = tuple(dict.fromkeys(nodes))
    return distinct_nodes[0] if len(distinct_nodes) == 1 else AllOf(distinct_nodes)
