"""What is said several times of one entity, put together within the limits of one."""

from collections.abc import Iterable, Mapping

from graphmem import text
from graphmem.model import limits


def united(several: Iterable[Iterable[str]]) -> tuple[str, ...]:
    """The names or labels of several lists, each once as it is said first, at most 1,000."""
    first: dict[str, str] = {}
    for names in several:
        for name in names:
            first.setdefault(text.normalised(name), name)
    return tuple(first.values())[: limits.LIST_ITEMS]


def merged(several: Iterable[Mapping[str, limits.Attribute]]) -> dict[str, limits.Attribute]:
    """The attributes of several entities, each as it is said first, as many as one may have."""
    first: dict[str, limits.Attribute] = {}
    values = 0
    for attributes in several:
        for name, value in attributes.items():
            size = len(value) if isinstance(value, list) else 1
            fits = len(first) < limits.ATTRIBUTES and values + size <= limits.VALUES
            if name not in first and fits:
                first[name] = value
                values += size
    return first
