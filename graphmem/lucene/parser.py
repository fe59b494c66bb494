"""The parser: every list of tokens has a tree.

Precedence, from the loosest: OR; AND and, where the caller's default operator is AND, what stands
side by side; NOT. Where the default is OR, words side by side are ORed and ranked, `a NOT b c` is
`(a OR c) AND NOT b`, and a `?` after a word ends a question instead of standing for a letter.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from functools import partial

from graphmem.errors import shortened
from graphmem.lucene.clauses import bound_clauses
from graphmem.lucene.colons import with_parts_at_colons
from graphmem.lucene.exclusions import exclusion_notes
from graphmem.lucene.segmentation import leading, shorten_unspaced
from graphmem.lucene.tokens import ALONE_WILDCARD, TERM_CHARACTERS, Token, tokens, without_marks
from graphmem.lucene.tree import (
    CUTS,
    LEADING,
    NAMED_FIELDS,
    PATTERN_CHARACTERS,
    Field,
    Fuzzy,
    Node,
    Not,
    Pattern,
    Phrase,
    Piece,
    Query,
    Word,
    all_of,
    any_of,
    is_everything,
    is_plain,
    leaves,
    replace_leaves,
)
from graphmem.model.answer import Operator

TERMS = 64
DEPTH = 32
MOST_DISTANCE = 2
FUZZY_WORDS = 3
WILDCARDS = 8
SLOP = 100


def parse(query: str, *, default: Operator = "or", literal_names: Collection[str] = ()) -> Query:
    """Read a query; any text parses.

    Args:
        query: Any text.
        default: What two words beside each other mean.
        literal_names: Names before a colon that are no fields, but a part of a word.

    Returns:
        The tree of at most 64 words, whether operators decide what matches, and what was ignored.
    """
    query_tokens, notes = tokens(query, literal_names)
    reader = _Reader(query_tokens, default, notes)
    tree = _without_stars(reader.query(), notes)
    strict = default == "and" or reader.operators > 0 or not is_plain(tree)
    if tree is not None and literal_names:
        tree = with_parts_at_colons(tree, literal_names, strict=strict)
    for bound in (
        (partial(bound_clauses, strict=strict),) if strict else (shorten_unspaced, bound_clauses)
    ):
        if tree is not None:
            tree, cut_notes = bound(tree)
            notes += cut_notes
    if tree is None and not notes:
        notes.append("the query has no word to look for")
    notes += exclusion_notes(tree)
    return Query(tree, strict=tree is not None and strict, notes=tuple(dict.fromkeys(notes)))


def _without_stars(tree: Node | None, notes: list[str]) -> Node | None:
    """Leave out wildcards that stand alone beside something else: one would match everything."""
    if tree is None or all(is_everything(leaf) for leaf in leaves(tree)):
        return tree
    remainder = replace_leaves(
        tree, lambda leaf, field: None if not field and is_everything(leaf) else leaf
    )
    if remainder is not None and remainder != tree:
        notes.append(ALONE_WILDCARD)
    return tree if remainder is None else remainder


_ALONE = "an operator without a word beside it was ignored"
_EMPTY = "parentheses without words were ignored"


@dataclass(slots=True)
class _Reader:
    """Reads tokens from left to right; what does not fit is left out and noted."""

    tokens: list[Token]
    default: Operator
    notes: list[str]
    place: int = 0
    depth: int = 0
    operators: int = 0
    fuzzy: int = 0
    leading: int = 0
    terms: dict[object, None] = field(default_factory=dict)

    def query(self) -> Node | None:
        """Read everything: a closing parenthesis too many is passed over."""
        parts: list[Node] = []
        while self.place < len(self.tokens):
            start = self.place
            part = self._disjunction()
            if part is not None:
                parts.append(part)
            if self._at("close"):
                self.notes.append("a closing parenthesis without an opening one was ignored")
                self.place += 1
            elif self.place == start:
                self.place += 1
        return self._join(parts)

    def _disjunction(self) -> Node | None:
        """Alternatives between OR."""
        parts = [self._juxtaposition()]
        while self._at("OR"):
            self.place += 1
            parts.append(self._juxtaposition())
        return any_of(self._operands(parts))

    def _juxtaposition(self) -> Node | None:
        """Groups side by side; one group where the default operator is AND."""
        groups: list[Node] = []
        while not self._ends():
            start = self.place
            group = self._conjunction()
            if group is not None:
                groups.append(group)
            if self.place == start:
                self.place += 1
        return self._join(groups)

    def _conjunction(self) -> Node | None:
        """Terms between AND."""
        if self._at("AND"):
            self.notes.append(_ALONE)
        while self._at("AND"):
            self.place += 1
        parts = [self._term()]
        while self._at("AND"):
            while self._at("AND"):
                self.place += 1
            parts.append(None if self._ends() else self._term())
        return all_of(self._operands(parts))

    def _operands(self, parts: Sequence[Node | None]) -> list[Node]:
        """The sides of an operator that are there."""
        nodes = [part for part in parts if part is not None]
        if len(nodes) < len(parts) and len(parts) > 1:
            self.notes.append(_ALONE)
        self.operators += len(nodes) > 1
        return nodes

    def _term(self) -> Node | None:
        is_negative, negations = False, 0
        while self._at("NOT"):
            is_negative = not is_negative
            negations += 1
            self.place += 1
        node = self._atom()
        if node is None:
            if negations:
                self.notes.append(_ALONE)
            return None
        self.operators += negations
        return Not(node) if is_negative else node

    def _atom(self) -> Node | None:
        if self._ends() or self._at("AND"):
            return None
        token = self.tokens[self.place]
        self.place += 1
        if token.kind == "field":
            return self._field(token)
        if token.kind == "open":
            return self._group()
        return self._leaf(token)

    def _field(self, token: Token) -> Node | None:
        if self.depth >= DEPTH:
            self.notes.append(f"fields and parentheses deeper than {DEPTH} were ignored")
            return None
        self.depth += 1
        child = self._term()
        self.depth -= 1
        if child is None:
            self.notes.append(f"the field `{token.text}` without a word was ignored")
            return None
        is_known_field = token.text.casefold() in NAMED_FIELDS
        if not is_known_field and any(isinstance(leaf, Pattern | Fuzzy) for leaf in leaves(child)):
            self.notes.append("a custom attribute is compared as a whole, including wildcards")
        return Field(token.text, child)

    def _group(self) -> Node | None:
        if self.depth >= DEPTH:
            self.notes.append(f"parentheses deeper than {DEPTH} were ignored")
            return None
        self.depth += 1
        child = self._disjunction()
        self.depth -= 1
        if child is None:
            self.notes.append(_EMPTY)
        if self._at("close"):
            self.place += 1
        else:
            self.notes.append("an unclosed parenthesis was closed at the end of the query")
        return child

    def _leaf(self, token: Token) -> Node | None:
        node = self._phrase(token) if token.kind == "phrase" else self._word(token)
        if node not in self.terms and len(self.terms) >= TERMS:
            self.notes.append(f"only the first {TERMS} distinct words were used")
            return None
        self.terms[node] = None
        return node

    def _phrase(self, token: Token) -> Node:
        words = tuple(map(self._cut, token.text.split()))
        if len(words) > TERMS:
            self.notes.append(f"only the first {TERMS} words of a phrase were used")
            words = words[:TERMS]
        slop = token.suffix or 0
        if slop < 0 or slop > SLOP:
            slop = min(max(slop, 0), SLOP)
            self.notes.append(f"the distance of a phrase is 0 to {SLOP}; {slop} was used")
        return Phrase(words, slop)

    def _word(self, token: Token) -> Node:
        pieces = without_marks(token.pieces) if self.default == "or" else token.pieces
        wilds = [piece for piece in pieces if piece.wild]
        word = self._cut("".join(piece.text for piece in pieces))
        if wilds:
            characters = sum(len(piece.text) for piece in pieces)
            if len(wilds) > WILDCARDS or characters > PATTERN_CHARACTERS:
                self.notes.append(
                    f"a pattern has at most {WILDCARDS} wildcards and {PATTERN_CHARACTERS} "
                    f"letters; {shortened(word)} was searched without wildcards"
                )
                return Word(word)
            if token.suffix is not None:
                self.notes.append("a word with wildcards cannot be fuzzy; the `~` was ignored")
            return self._pattern(pieces)
        if token.suffix is not None and pieces != token.pieces:
            self.notes.append("a question mark ends the word; the `~` after it was ignored")
            return Word(word)
        if token.suffix is None or token.suffix == 0:
            return Word(word)
        if token.suffix > MOST_DISTANCE:
            self.notes.append(f"at most two letters may differ: `~{MOST_DISTANCE}` was used")
        self._note_cuts(word)
        self.fuzzy += max(1, len([part for part in CUTS.split(word) if part]))
        if self.fuzzy > FUZZY_WORDS:
            self.notes.append(f"only the first {FUZZY_WORDS} fuzzy words are fuzzy")
            return Word(word)
        return Fuzzy(word, MOST_DISTANCE if token.suffix < 0 else min(token.suffix, MOST_DISTANCE))

    def _pattern(self, pieces: tuple[Piece, ...]) -> Node:
        self._note_cuts("".join(piece.text for piece in pieces))
        leading_wildcards = leading(pieces)
        if leading_wildcards and len(pieces) > 1:
            self.leading += leading_wildcards
            if self.leading > LEADING:
                self.notes.append(f"only the first {LEADING} patterns may begin with a wildcard")
                return Word("".join(piece.text for piece in pieces if not piece.wild))
        return Pattern(pieces)

    def _cut(self, word: str) -> str:
        if len(word) > TERM_CHARACTERS:
            self.notes.append(f"only the first {TERM_CHARACTERS} characters of a word were used")
        return word[:TERM_CHARACTERS]

    def _note_cuts(self, word: str) -> None:
        if len([part for part in CUTS.split(word) if part]) > 1:
            self.notes.append(f"`{word}` is several words; all of them must match")

    def _join(self, parts: list[Node]) -> Node | None:
        if self.default == "and":
            return all_of(parts)
        excluded = [part for part in parts if isinstance(part, Not)]
        required = [part for part in parts if not isinstance(part, Not)]
        if not required:
            return all_of(excluded)
        alternatives = any_of(required)
        return all_of([*([alternatives] if alternatives else []), *excluded])

    def _at(self, kind: str) -> bool:
        return self.place < len(self.tokens) and self.tokens[self.place].kind == kind

    def _ends(self) -> bool:
        return self.place >= len(self.tokens) or self._at("OR") or self._at("close")
