"""Answers as their text has them, for models: without what says nothing, or nothing new.

The structured content of an answer has every field, for programs.
"""

import re
from collections.abc import Mapping

from graphmem import text

# Whose values are a caller's own words and figures, or are to be shown whole.
WHOLE = frozenset(
    ("attributes", "before", "after", "explain", "kinds", "statuses", "tags", "relation_types")
)
# What is shown even if it is empty: what was asked for, and what a change made of nothing.
SHOWN_EMPTY = frozenset(("hits", "items", "changes", "revisions", "before", "after"))
# What stands for a field that is left out.
DEFAULTS: Mapping[str, object] = {
    "weight": 1.0, "status": "active", "mode": "hybrid", "origin": "direct", "total_exact": True,
    "dry_run": False, "truncated": False, "created": 0, "updated": 0, "changed": 0, "unchanged": 0,
    "removed": 0, "refused": 0, "relations": 0, "omitted": 0, "withheld": 0,
    "pending": 0, "undescribed": 0,
}  # fmt: skip
# What is left out where it is that of the object around.
INHERITED = ("project", "created_at")
# Written to the second: models copy other dates, such as the `at` of a change, into `as_of`.
DATES = frozenset(("created_at", "updated_at"))
# The figures behind a score, which are for who asks for an explanation.
FIGURES = frozenset(("matched", "evidence"))
# What the caller knows, or cannot use.
UNUSED = frozenset(("query", "took_ms"))
_FRACTION = re.compile(r"(?<=:\d\d)\.\d+(?=Z$)")


def concise_json(answer: Mapping[str, object]) -> dict[str, object]:
    """An answer's JSON without what is empty, usual, repeated, or behind an unexplained score.

    What says when something was written says it to the second.
    """
    fields = {name: value for name, value in answer.items() if name not in UNUSED}
    return _object(fields, {}, explained=False)


def _object(
    fields: Mapping[str, object], around: Mapping[str, object], *, explained: bool
) -> dict[str, object]:
    explained = explained or "explain" in fields
    fields = {name: _second(value) if name in DATES else value for name, value in fields.items()}
    known = {name: fields.get(name) or around.get(name) for name in INHERITED}
    known |= {name: fields.get(name) for name in ("name", "source")}
    kept: dict[str, object] = {}
    for name, value in fields.items():
        if name in FIGURES and not explained:
            continue
        if value is None or _is_known(name, value, fields, around):
            continue
        concise_value = value if name in WHOLE else _value(value, known, explained=explained)
        if name in SHOWN_EMPTY or concise_value not in ([], {}):
            kept[name] = concise_value
    return kept


def _second(moment: object) -> object:
    return _FRACTION.sub("", moment) if isinstance(moment, str) else moment


def _value(value: object, around: Mapping[str, object], *, explained: bool) -> object:
    if isinstance(value, Mapping):
        return _object(value, around, explained=explained)
    if isinstance(value, list):
        return [_value(item, around, explained=explained) for item in value]
    return value


def _is_known(
    name: str, value: object, fields: Mapping[str, object], around: Mapping[str, object]
) -> bool:
    """Whether a field says what its absence says as well, or what stands beside or around it."""
    if name in DEFAULTS:
        return value == DEFAULTS[name]
    if name in INHERITED:
        return value == around.get(name)
    if name == "from" or (name == "source" and "direction" in fields):
        # What is explored begins at the entity around, and a relation has its source.
        return value == around.get("name" if name == "from" else "source")
    if name == "updated_at":
        return value == fields.get("created_at")
    if name == "key" and {"name", "project"} <= fields.keys():
        # The name alone does not lead from another project to a layer.
        is_near = around.get("project") in {None, fields["project"]}
        return is_near and value == text.key(str(fields["project"]), str(fields["name"]))
    return False
