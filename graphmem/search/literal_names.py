"""Words with a colon that a query means as words, such as `redis:6379` and `ERROR:root:timeout`.

`owner:ops` finds what has that custom attribute. If nothing in the store ever had an attribute of
such a name, it is a word: whoever pastes a line of a log or an address asks for no attribute.
"""

from collections.abc import Sequence
from dataclasses import replace
from difflib import get_close_matches

from graphmem import lucene, text
from graphmem.graph import Reader
from graphmem.model.reserved import RESERVED_ATTRIBUTES
from graphmem.search.request import SearchRequest

# Of names that no custom attribute may have and no query finds, the argument that filters by them.
FILTERS = {
    "confidence": "where",
    "created_at": "where",
    "project": "project",
    "source": "where",
    "status": "status",
    "updated_at": "where",
    "valid_from": "at",
    "valid_until": "at",
}
# Names that a note names.
NAMES_IN_NOTE = 3


def with_literal_names(graph: Reader, request: SearchRequest) -> SearchRequest:
    """The request with what is no attribute of the store read as words; a note says so.

    Args:
        graph: The store.
        request: As it was parsed.

    Raises:
        DatabaseError: The database does not answer, is too slow or refuses.
    """
    tree = request.query.tree
    names = [] if tree is None else lucene.attributes(tree, negated=True)
    names = [name for name in dict.fromkeys(names) if not _is_field(name)]
    if not names:
        return request
    rows = graph.read("read/property_names", names=[name.lower() for name in names])
    attributes = {
        text.normalised(row["name"]) for row in rows if row["name"] not in RESERVED_ATTRIBUTES
    }
    literal_names = [name for name in names if text.normalised(name) not in attributes]
    query = lucene.parse(
        request.text, default=request.plan.operator, literal_names=frozenset(literal_names)
    )
    # A name in quotation marks stays a field.
    fields = [] if query.tree is None else lucene.attributes(query.tree, negated=True)
    literal_names = [name for name in literal_names if name not in fields]
    if not literal_names:
        return request
    return replace(request, query=replace(query, notes=(*query.notes, _note(literal_names))))


def similar_field(name: str) -> str | None:
    """The field of a query that somebody who writes a name before a colon may mean."""
    similar = get_close_matches(name.casefold(), sorted(lucene.NAMED_FIELDS), n=1, cutoff=0.7)
    return similar[0] if similar else None


def _is_field(name: str) -> bool:
    """Whether a name asks for a field, if a wrong one, of which `response` speaks."""
    return name.casefold() in FILTERS or similar_field(name) is not None


def _note(names: Sequence[str]) -> str:
    listed = ", ".join(f"`{name}:`" for name in names[:NAMES_IN_NOTE])
    others = f" and {len(names) - NAMES_IN_NOTE} more" if len(names) > NAMES_IN_NOTE else ""
    if len(names) == 1:
        return f"{listed} was read as a word, since nothing has an attribute of that name"
    return f"{listed}{others} were read as words, since nothing has such attributes"
