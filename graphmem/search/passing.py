"""Filters become words the indexes know, and tests for what they do not know."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any

from graphmem import lucene, text
from graphmem.model.where import (
    BOUNDS,
    FIELDS_COMPARED,
    MOMENTS,
    Condition,
    Related,
    comparable,
    span,
)
from graphmem.search.plan import Filters

EARLIEST = datetime.min.replace(tzinfo=UTC)
LATEST = datetime.max.replace(tzinfo=UTC)
TICK = timedelta(microseconds=1)


@dataclass(frozen=True, slots=True)
class Passing:
    """What an entity must carry to pass.

    Args:
        required: Groups of filter words; one of each group.
        forbidden: Filter words, none of them.
        tests: Comparisons of properties, for the statement.
        related: Relations that must be there or not, for the statement.
        beside_vector: Whether words are asked for that the vector index does not filter by.
    """

    required: list[list[str]]
    forbidden: list[str]
    tests: list[dict[str, Any]]
    related: list[dict[str, Any]]
    beside_vector: bool

    @property
    def written(self) -> str:
        """The words as Lucene text that lists every passage that carries them."""
        return lucene.filters(self.required, self.forbidden)

    @property
    def after_the_legs(self) -> bool:
        """Whether something is tested that no index filters by, so that pools may run thin."""
        return bool(self.tests or self.related)


NOTHING = Passing(required=[], forbidden=[], tests=[], related=[], beside_vector=False)


def compiled(filters: Filters) -> Passing:
    """Make words and tests of filters."""
    where = filters.where
    required = [[text.token("project", project) for project in filters.projects]]
    if not filters.statuses:
        required.append([text.token("live", "True")])
    facets = (
        ("kind", filters.kinds),
        ("status", filters.statuses),
        ("category", where.categories),
        ("tag", filters.tags),
        *(("tag", (tag,)) for tag in where.tags_all),
    )
    required += [
        [text.token(facet, text.normalised(value)) for value in values]
        for facet, values in facets
        if values
    ]
    by_word = [one for one in where.conditions if not _is_tested(one)]
    whole = [one for one in by_word if one.comparison != "!="]
    required += [_words(one) for one in whole]
    forbidden = [text.token("tag", text.normalised(tag)) for tag in where.tags_none]
    forbidden += [word for one in by_word if one.comparison == "!=" for word in _words(one)]
    return Passing(
        required=required,
        forbidden=forbidden,
        tests=[_test(one) for one in where.conditions if _is_tested(one)],
        related=[_related(one) for one in where.related],
        beside_vector=bool(
            filters.tags or where.tags_all or where.categories or whole or forbidden
        ),
    )


def _is_tested(condition: Condition) -> bool:
    """Whether the statement compares: bounds, and what the indexes hold no word of."""
    return condition.comparison in BOUNDS or condition.name in FIELDS_COMPARED


def _words(condition: Condition) -> list[str]:
    if condition.name == "category" and condition.comparison != "under":
        return [text.token("category", text.normalised(str(one))) for one in condition.values]
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


def _test(condition: Condition) -> dict[str, Any]:
    comparison = condition.comparison
    if condition.name in MOMENTS and comparison not in BOUNDS:
        return {"name": condition.name, "operator": "within", "values": _ranges(condition)}
    return {
        "name": condition.name,
        "operator": "=" if comparison == "in" else comparison,
        "values": [one for value in condition.values for one in comparable(comparison, value)],
    }


def _ranges(condition: Condition) -> list[dict[str, datetime]]:
    """The first and last moments of what passes; of `!=` what lies before and after."""
    spans = [span(one) for one in condition.values if isinstance(one, date)]
    if condition.comparison == "!=":
        ((first, last),) = spans
        before = [(EARLIEST, first - TICK)] if first > EARLIEST else []
        after = [(last + TICK, LATEST)] if last < LATEST else []
        spans = before + after
    return [{"first": first, "last": last} for first, last in spans]


def _related(rule: Related) -> dict[str, Any]:
    return {"types": list(rule.types), "direction": rule.direction, "wanted": rule.wanted}
