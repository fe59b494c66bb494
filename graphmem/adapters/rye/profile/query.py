"""What is asked: the query and the fields as trees, and the text that graphmem's search is given.

The index does not know which of an item's words are its description, and finds whatever begins with
a word's stem. So it is asked in a wider way, for what every match must hold, and each item it finds
is asked itself afterwards.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from graphmem import arguments, lucene
from graphmem.adapters.rye.profile.item import field_of
from graphmem.adapters.rye.profile.typos import with_typos
from graphmem.adapters.rye.profile.words import has_marks, parts_of

# The fields of the index that hold a field of ours, perhaps with other words.
INDEXED = {
    "title": ("title",),
    "name": ("alias", "title"),
    "description": ("text",),
    "category": ("category",),
    "content": ("text",),
    "tags": ("tag",),
}
EVERYTHING = frozenset({"", "*"})
# How notes of the parser begin or go on that are not true here.
_OF_ATTRIBUTES = "a custom attribute"
_OF_MARKS = "is several words; all of them must match"


@dataclass(frozen=True, slots=True)
class ParsedQuery:
    """A query and those of the fields, read into trees, and the text for the search.

    Args:
        query: The query; None for everything.
        fields: A query for each field asked for.
        search_text: The text for the search; None where nothing can be found.
        notes: What was ignored or cut, a sentence each.
    """

    query: lucene.Node | None
    fields: Mapping[str, lucene.Node] = field(default_factory=dict)
    search_text: str | None = None
    notes: tuple[str, ...] = ()

    @property
    def lists(self) -> bool:
        """Whether everything in scope is asked for."""
        return self.query is None and not self.fields

    @property
    def nodes(self) -> list[lucene.Node]:
        """The trees, those of the fields as fields."""
        nodes = [lucene.Field(name, node) for name, node in self.fields.items()]
        return [*([] if self.query is None else [self.query]), *nodes]


def read(query: str, fields: Mapping[str, str], *, distance: int = 0) -> ParsedQuery:
    """Read a query and those of the fields.

    Args:
        query: At most 10,000 characters; blank or a star for everything.
        fields: A query for each field; a blank one or a star asks for nothing.
        distance: How many letters of a word may differ, 0 to 2.

    Returns:
        What is asked; `search_text` is None where a query has no words, so that nothing is found.
    """
    texts = {"": query} | dict(fields)
    parsed_queries = {
        name: lucene.parse(lucene.clean(field_text), default="and")
        for name, field_text in texts.items()
        if field_text.strip() not in EVERYTHING
    }
    notes = tuple(
        dict.fromkeys(note for parsed in parsed_queries.values() for note in _notes(parsed))
    )
    trees = {
        name: with_typos(parsed.tree, distance)
        for name, parsed in parsed_queries.items()
        if parsed.tree is not None
    }
    if len(trees) < len(parsed_queries):
        return ParsedQuery(None, notes=notes)
    parsed_query = ParsedQuery(trees.pop("", None), trees, notes=notes)
    wider_nodes = [_wider(node) for node in parsed_query.nodes]
    index_nodes = [node for node in wider_nodes if node is not None]
    query_text = lucene.canonical(lucene.AllOf(tuple(index_nodes))) if index_nodes else "*"
    # What the search would cut it would read in another way: better to look at every item.
    is_cut = len(query_text) > arguments.QUERY_CHARACTERS
    if is_cut or lucene.parse(query_text, default="and").notes:
        query_text = "*"
    return replace(parsed_query, search_text=query_text)


def _notes(parsed: lucene.Query) -> list[str]:
    """The parser's notes, without those that are true of the index alone.

    An item's fields are compared word by word, and a pattern with marks stands for words in order.
    """
    asks_others = parsed.tree is not None and _names_others(parsed.tree)
    return [
        note
        for note in parsed.notes
        if (asks_others or not note.startswith(_OF_ATTRIBUTES)) and _OF_MARKS not in note
    ]


def _names_others(node: lucene.Node) -> bool:
    match node:
        case lucene.AllOf(nodes) | lucene.AnyOf(nodes):
            return any(map(_names_others, nodes))
        case lucene.Not(child):
            return _names_others(child)
        case lucene.Field(name, child):
            return field_of(name) is None or _names_others(child)
        case _:
            return False


def _wider(node: lucene.Node) -> lucene.Node | None:
    """A tree for the index that is true of every item the given one is true of; None for all."""
    match node:
        case lucene.AllOf(nodes) | lucene.AnyOf(nodes):
            wider_nodes = tuple(wider for wider in map(_wider, nodes) if wider is not None)
            # What only some alternatives ask for, an item of another one lacks.
            least = len(nodes) if isinstance(node, lucene.AnyOf) else 1
            return type(node)(wider_nodes) if len(wider_nodes) >= least else None
        case lucene.Field(name, child):
            return _for_index(name, _wider(child))
        case lucene.Pattern(pieces) if has_marks(pieces):
            return _longest(pieces)
        case lucene.Fuzzy(word, _) if not word.isalnum():
            return None
        case _:
            is_open = isinstance(node, lucene.Not) or lucene.is_everything(node)
            return None if is_open else node


def _longest(pieces: Sequence[lucene.Piece]) -> lucene.Pattern | None:
    """A pattern for the longest word of a pattern, inside any other: the index has no marks."""
    words = [part for piece in pieces if not piece.wild for part in parts_of(piece.text)]
    star = lucene.Piece("*", wild=True)
    return lucene.Pattern((star, lucene.Piece(max(words, key=len)), star)) if words else None


def _for_index(name: str, child: lucene.Node | None) -> lucene.Node | None:
    if child is None:
        return None
    known_field = field_of(name)
    if known_field is None:
        # What an item says word for word counts too, which the attribute's own value does not.
        literals = [" ".join(_literal_words(leaf)) for leaf in lucene.leaves(child)]
        forms = (
            (lucene.Word(f"{name}:{literal}"), lucene.Phrase((name, *literal.split())))
            for literal in literals
        )
        literal = (form for pair in forms for form in pair)
        return lucene.AnyOf((lucene.Field(name, child), *literal))
    return lucene.AnyOf(tuple(lucene.Field(index, child) for index in INDEXED[known_field]))


def _literal_words(leaf: lucene.Node) -> Sequence[str]:
    match leaf:
        case lucene.Word(word) | lucene.Fuzzy(word, _):
            return (word,)
        case lucene.Phrase(words, _):
            return words
        case lucene.Pattern(pieces):
            return ("".join(piece.text for piece in pieces),)
        case _:
            return ()
