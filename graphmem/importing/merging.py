"""What is said several times of one entity, put together within the limits of one."""

from collections.abc import Iterable, Mapping

from graphmem import text
from graphmem.model import limits


def unite_names(lists: Iterable[Iterable[str]]) -> tuple[str, ...]:
    """The names or labels of several lists, each once as it is said first, at most 1,000."""
    names_by_form: dict[str, str] = {}
    for names in lists:
        for name in names:
            names_by_form.setdefault(text.normalised(name), name)
    return tuple(names_by_form.values())[: limits.LIST_ITEMS]


def merge_attributes(
    attribute_sets: Iterable[Mapping[str, limits.Attribute]],
) -> dict[str, limits.Attribute]:
    """The attributes of several entities, each as it is said first, as many as one may have."""
    merged_attributes: dict[str, limits.Attribute] = {}
    values = 0
    for attributes in attribute_sets:
        for name, value in attributes.items():
            size = len(value) if isinstance(value, list) else 1
            fits = len(merged_attributes) < limits.ATTRIBUTES and values + size <= limits.VALUES
            if name not in merged_attributes and fits:
                merged_attributes[name] = value
                values += size
    return merged_attributes
