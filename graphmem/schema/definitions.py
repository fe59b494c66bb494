"""The constraints and indexes of a store, each defined once, beside the statement that makes it.

Cypher takes neither labels nor properties of an index as parameters, so the statements of
`cypher/schema/` write them out. What a statement has made is compared with this table whenever a
store is opened for writing: where the two disagree, no new store can be opened.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from graphmem import statements
from graphmem.model.language import index_name

# The properties in the text indexes of passages, after the first three.
_FURTHER_PROPERTIES = ("filters", "name", "title", "alias", "tag", "kind", "category")
_NO_STOP_WORDS = (("fulltext.analyzer", "STANDARD-NO-STOP-WORDS"),)


@dataclass(frozen=True, slots=True)
class Definition:
    """An index, or the index of a constraint.

    Args:
        name: Begins with `graphmem_`.
        type: As the server names it: `RANGE`, `FULLTEXT` or `VECTOR`.
        label: The label of its nodes.
        properties: What it holds, in this order.
        options: Those of its options that matter, values in upper case.
        statement: The name of the statement that makes it.
        former: The properties it held in earlier versions: such an index is dropped and made again.
    """

    name: str
    type: str
    label: str
    properties: tuple[str, ...]
    options: tuple[tuple[str, str], ...] = ()
    statement: str = field(default="", compare=False)
    former: tuple[tuple[str, ...], ...] = field(default=(), compare=False, repr=False)

    def __str__(self) -> str:
        """Write it as `VECTOR on Passage(embedding) with vector.quantization.type NONE`."""
        options = ", ".join(f"{name} {value}" for name, value in self.options)
        option_text = f" with {options}" if options else ""
        return f"{self.type} on {self.label}({', '.join(self.properties)}){option_text}"


def _lookup(statement: str, label: str, *properties: str) -> Definition:
    """An index by which nodes are looked up, called as the file of its statement is."""
    name = f"graphmem_{statement.partition('_')[2]}"
    return Definition(name, "RANGE", label, properties, statement=statement)


FIXED = (
    _lookup("schema/001_entity_key", "Entity", "key"),
    _lookup("schema/002_store_id", "Graphmem", "id"),
    _lookup("schema/003_entity_project", "Entity", "project"),
    _lookup("schema/004_passage_pending", "Passage", "pending"),
    Definition(
        name="graphmem_passage_embedding",
        type="VECTOR",
        label="Passage",
        properties=("embedding", "project", "live", "kind", "status", "category"),
        options=(
            ("vector.similarity_function", "COSINE"),
            ("vector.quantization.type", "NONE"),
            ("vector.default_search_expansion_factor", "2.0"),
        ),
        statement="schema/005_passage_embedding",
    ),
    Definition(
        name="graphmem_passage_exact",
        type="FULLTEXT",
        label="Passage",
        properties=("words", "text", "names", *_FURTHER_PROPERTIES),
        options=_NO_STOP_WORDS,
        statement="schema/008_passage_exact",
    ),
    Definition(
        name="graphmem_entity_handles",
        type="FULLTEXT",
        label="Entity",
        properties=("graphmem_handles", "graphmem_filters"),
        options=(("fulltext.analyzer", "WHITESPACE"),),
        statement="schema/009_entity_handles",
        former=(("handles", "filters"),),
    ),
    Definition(
        name="graphmem_entity_text",
        type="FULLTEXT",
        label="Entity",
        properties=(
            "graphmem_text", "graphmem_called", "graphmem_identifier_parts", "graphmem_filters",
            "name", "title", "aliases", "tags", "kind", "category",
        ),
        options=_NO_STOP_WORDS,
        statement="schema/010_entity_text",
        former=(
            (
                "text", "called", "identifier_parts", "filters", "name", "title", "aliases",
                "tags", "kind", "category",
            ),
        ),
    ),
    _lookup("schema/014_passage_sample", "Passage", "project", "digest"),
    _lookup("schema/021_passage_store_sample", "Passage", "digest"),
    _lookup("schema/013_request_id", "GraphmemRequest", "id"),
    _lookup("schema/015_change_id", "GraphmemChange", "id"),
    _lookup("schema/016_revision_key", "GraphmemRevision", "key"),
    _lookup("schema/017_revision_change", "GraphmemRevision", "change"),
    _lookup("schema/018_change_project", "GraphmemChange", "project", "at"),
    _lookup("schema/019_redirect_key", "GraphmemRedirect", "key"),
    _lookup("schema/020_redirect_target", "GraphmemRedirect", "target"),
)  # fmt: skip

# The text index of a language is made by any of these: Neo4j takes two indexes of one label only
# where their properties stand in another order.
_ORDERS = {
    "schema/006_passage_language_1": ("text", "names", "words"),
    "schema/007_passage_language_2": ("names", "text", "words"),
    "schema/011_passage_language_3": ("text", "words", "names"),
    "schema/012_passage_language_4": ("names", "words", "text"),
}
SLOTS = tuple(
    Definition(
        name=index_name("*"),
        type="FULLTEXT",
        label="Passage",
        properties=(*order, *_FURTHER_PROPERTIES),
        statement=statement,
    )
    for statement, order in _ORDERS.items()
)


def of_embeddings(number: int) -> Definition:
    """The vector index of a set of embeddings."""
    first = next(definition for definition in FIXED if definition.type == "VECTOR")
    return replace(
        first,
        name=statements.embedding_index(number),
        properties=(statements.embedding_property(number), *first.properties[1:]),
        statement=statements.of_embeddings(first.statement, number),
    )


def fixed(number: int) -> tuple[Definition, ...]:
    """The definitions of every store, whatever its languages, for the set of embeddings in use."""
    return tuple(
        of_embeddings(number) if definition.type == "VECTOR" else definition for definition in FIXED
    )


def of_language(language: str, slot: Definition) -> Definition:
    """The index of a language, its properties in the order of a slot."""
    return replace(
        slot, name=index_name(language), options=(("fulltext.analyzer", language.upper()),)
    )


def definitions(languages: Sequence[str]) -> tuple[Definition, ...]:
    """Every definition of a new store of these languages, those of languages last."""
    slots = (of_language(*pair) for pair in zip(languages, SLOTS, strict=False))
    return (*FIXED, *slots)
