"""Filters become words the indexes know, and comparisons and rules for what they do not know."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from typing import Any

from graphmem import lucene, text
from graphmem import project as projects
from graphmem.model import sources
from graphmem.model.filters import Filters
from graphmem.model.where import (
    BOUNDS,
    FIELDS_COMPARED,
    MOMENTS,
    SOURCE,
    Condition,
    RelationCondition,
    comparable,
    span,
)

EARLIEST = datetime.min.replace(tzinfo=UTC)
LATEST = datetime.max.replace(tzinfo=UTC)
TICK = timedelta(microseconds=1)
# The operators by which the statement compares sources, for which there are no filter tokens.
OF_SOURCE = {"=": "is", "in": "is", "!=": "is not", "under": "under"}


@dataclass(frozen=True, slots=True)
class CompiledFilters:
    """What an entity must carry to pass.

    Args:
        base: Groups of filter tokens that every passage repeats; one of each group.
        repeated: Groups of those that passages of wide entities do not repeat.
        forbidden: Filter tokens, none of them.
        forbidden_repeated: Those of them that passages of wide entities do not repeat.
        comparisons: Comparisons of properties, for the statement.
        relations: Relations that must be there or not, for the statement.
        unknown_to_vector_index: Whether words are asked for that the vector index does not
            filter by.
    """

    base: list[list[str]] = field(default_factory=list)
    repeated: list[list[str]] = field(default_factory=list)
    forbidden: list[str] = field(default_factory=list)
    forbidden_repeated: list[str] = field(default_factory=list)
    comparisons: list[dict[str, Any]] = field(default_factory=list)
    relations: list[dict[str, Any]] = field(default_factory=list)
    unknown_to_vector_index: bool = False

    @property
    def required(self) -> list[list[str]]:
        """Every group of words, as entities carry them."""
        return [*self.base, *self.repeated]

    @property
    def of_passages(self) -> list[list[str]]:
        """Every group of words, as passages carry them: those of wide entities pass."""
        return [*self.base, *([*group, text.WIDE] for group in self.repeated)]

    @property
    def asks_entities(self) -> bool:
        """Whether words are asked for that passages of wide entities do not repeat."""
        return bool(self.repeated or self.forbidden_repeated)

    @property
    def passage_query(self) -> str:
        """The words as Lucene text that lists every passage that carries them itself."""
        wide_mark = [text.WIDE] if self.asks_entities else []
        return lucene.filters(self.required, [*self.forbidden, *wide_mark])

    @property
    def query(self) -> str:
        """The words as Lucene text that lists every entity that carries them."""
        return lucene.filters(self.required, self.forbidden, fields=lucene.ENTITY_FIELDS)

    @property
    def entity_queries(self) -> list[str]:
        """The words as Lucene text that lists every wide entity that carries them."""
        if not self.asks_entities:
            return []
        words = [*self.required, [text.WIDE]]
        return [lucene.filters(words, self.forbidden, fields=lucene.ENTITY_FIELDS)]

    @property
    def tested_by_statement(self) -> bool:
        """Whether something is tested that no index filters by, so that a pool may be used up."""
        return bool(self.comparisons or self.relations)


NO_FILTERS = CompiledFilters()


def compile_filters(filters: Filters) -> CompiledFilters:
    """Make words, comparisons and rules of filters."""
    where = filters.where
    base: list[list[str]] = []
    if not filters.of_whole_store:
        base.append([text.token("project", project) for project in filters.projects])
    if not filters.statuses:
        base.append([text.token("live", "True")])
    base += _facet("kind", filters.kinds)
    base += _facet("status", filters.statuses)
    base += _facet("category", where.categories)
    repeated = _facet("tag", filters.tags)
    repeated += [group for tag in where.tags_all for group in _facet("tag", (tag,))]
    forbidden = [text.token("project", layer) for layer in _layers_left_out(filters)]
    forbidden_repeated = [text.token("tag", text.normalised(tag)) for tag in where.tags_none]
    by_word = [condition for condition in where.conditions if not _is_compared(condition)]
    for condition in by_word:
        on_every_passage = condition.name == "category" and condition.comparison != "under"
        if condition.comparison == "!=":
            (forbidden if on_every_passage else forbidden_repeated).extend(_words(condition))
        else:
            (base if on_every_passage else repeated).append(_words(condition))
    return CompiledFilters(
        base=base,
        repeated=repeated,
        forbidden=[*forbidden_repeated, *forbidden],
        forbidden_repeated=forbidden_repeated,
        comparisons=[
            *_project_comparisons(filters),
            *(_comparison(condition) for condition in where.conditions if _is_compared(condition)),
        ],
        relations=[_relation(rule) for rule in where.related],
        unknown_to_vector_index=bool(
            filters.tags or where.tags_all or where.tags_none or where.categories
        )
        or bool(by_word),
    )


def _layers_left_out(filters: Filters) -> list[str]:
    """The layers that a search of the whole store does not look into."""
    if not filters.of_whole_store:
        return []
    return [layer for layer in projects.LAYERS if layer not in filters.projects]


def _project_comparisons(filters: Filters) -> list[dict[str, Any]]:
    """The projects of a limited caller where they are too many for the indexes."""
    if not filters.are_projects_tested:
        return []
    return [{"name": "project", "operator": "=", "values": list(filters.projects)}]


def _facet(facet: str, values: Sequence[str]) -> list[list[str]]:
    """One group of the words for a facet's values, or none where nothing is asked."""
    return [[text.token(facet, text.normalised(value)) for value in values]] if values else []


def _is_compared(condition: Condition) -> bool:
    """Whether the statement compares the values: bounds, and values that have no filter token."""
    return condition.comparison in BOUNDS or condition.name in FIELDS_COMPARED


def _words(condition: Condition) -> list[str]:
    if condition.name == "category" and condition.comparison != "under":
        return [text.token("category", text.normalised(str(value))) for value in condition.values]
    if condition.comparison == "under":
        # A value without a slash is held as it is.
        return [
            word
            for value in map(str, condition.values)
            for word in (
                text.path_token(condition.name, value),
                text.attribute_token(condition.name, "/".join(text.segments(value))),
            )
        ]
    return [text.attribute_token(condition.name, value) for value in condition.values]


def _comparison(condition: Condition) -> dict[str, Any]:
    comparison = condition.comparison
    if condition.name in MOMENTS and comparison not in BOUNDS:
        return {"name": condition.name, "operator": "within", "values": _ranges(condition)}
    if condition.name == SOURCE and comparison not in BOUNDS:
        values = [sources.spelling(str(value)).lower() for value in condition.values]
        if comparison == "under":
            values = [value.rstrip("/") for value in values]
        return {"name": SOURCE, "operator": OF_SOURCE[comparison], "values": values}
    return {
        "name": condition.name,
        "operator": "=" if comparison == "in" else comparison,
        "values": [
            operand for value in condition.values for operand in comparable(comparison, value)
        ],
    }


def _ranges(condition: Condition) -> list[dict[str, datetime]]:
    """The first and last moments of what passes; of `!=` what lies before and after."""
    spans = [span(value) for value in condition.values if isinstance(value, date)]
    if condition.comparison == "!=":
        ((first, last),) = spans
        spans_before = [(EARLIEST, first - TICK)] if first > EARLIEST else []
        spans_after = [(last + TICK, LATEST)] if last < LATEST else []
        spans = spans_before + spans_after
    return [{"first": first, "last": last} for first, last in spans]


def _relation(rule: RelationCondition) -> dict[str, Any]:
    return {"types": list(rule.types), "direction": rule.direction, "present": rule.wanted}
