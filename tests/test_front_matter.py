"""Fields in YAML are read by libyaml, and what it does not take by PyYAML: both read the same."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.importing import front_matter
from graphmem.importing.front_matter import Field, fields_of
from graphmem.importing.refusing import Refused
from graphmem.importing.yaml_loaders import PlainLoader

LINES = (
    "title: Tide feed", "kind: Service", "tags: [harbour, 'x y', \"a\\tb\"]", "aliases:",
    "  - tides", "  - the feed", "owner: {name: Ana, since: 2026-03-01}", "text: |",
    "  One.", "", "    Two.", "fold: >-", "cost: 1_000",
    "count: 0x1F", "share: .5", "none: ~", "yes: no", "at: 12:30",
    "seen: 2026-03-01T10:00:00+02:00", "first: &one [1, 2]", "second: *one", "<<: {a: 1}",
    "third: !!str 12", "# a comment", "'quoted': \"é\\u00e9\"", "? long", ": value", "---", "...",
    "bad: [", "worse: }", "key: a: b", "emoji: 🚀", 'halves: "\\ud83d\\ude80"',
)  # fmt: skip


def outcome(yaml_text: str) -> list[Field] | tuple[str, int | None]:
    try:
        return fields_of(yaml_text, 1)
    except Refused as error:
        return str(error), error.line


@given(st.lists(st.sampled_from(LINES), max_size=12).map("\n".join))
def test_both_yaml_readers_give_the_same_result(yaml_text: str) -> None:
    quick = outcome(yaml_text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(front_matter, "QuickLoader", PlainLoader)
        assert repr(outcome(yaml_text)) == repr(quick)


@pytest.mark.parametrize(
    ("yaml_text", "value"),
    [("tags:\t[a]", ["a"]), ("tags: [why?not]", ["why?not"]), ("tags: [why? not]", ["why? not"])],
)
def test_tabs_and_question_marks_are_read_where_yaml_allows_them(
    yaml_text: str, value: object
) -> None:
    (field,) = fields_of(yaml_text, 1)
    assert (field.name, field.value) == ("tags", value)


def test_yaml_that_neither_reader_accepts_is_refused_with_its_line() -> None:
    with pytest.raises(Refused, match="mapping values are not allowed here") as refusal:
        fields_of("a: 1\nb: c: d", 3)
    assert refusal.value.line == 4
