"""What may enter: every limit is refused with the argument, the value and what is allowed.

A string of 32,767 bytes or more in a property that a vector index filters by makes the store
unusable for good, so the limits are what stands between any input and that.
"""

import unicodedata
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta, timezone, tzinfo
from enum import IntEnum
from typing import Self

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from graphmem import arguments, text
from graphmem.errors import NOT_SHOWN, InvalidInput, shortened
from graphmem.memory.writing.remembering import Input
from graphmem.model import Entity, Item, Relation, limits
from graphmem.model.relation_fields import RESERVED_RELATION_ATTRIBUTES
from graphmem.model.reserved import RESERVED_ATTRIBUTES
from graphmem.model.where import Where
from graphmem.project import check_project_name

Check = Callable[[str, object], object]

STORE_KILLER_BYTES = 32_766
MIB = 1024 * 1024
SURROGATE = "\ud800"
LABEL_CHECKS: list[Check] = [limits.label, limits.kind, limits.relation_type]
VISIBLE_CHECKS: list[Check] = [limits.name, *LABEL_CHECKS]
ALL_TEXT = st.text(st.characters())


def refused(check: Check, value: object, match: str, argument: str = "field") -> None:
    with pytest.raises(InvalidInput) as error:
        check(argument, value)

    assert match in str(error.value)
    assert str(error.value).startswith(f"{error.value.argument} must ")
    assert error.value.argument.startswith(argument)
    assert error.value.expected in str(error.value)
    given = error.value.value
    assert given is None or f"got {shortened(given)}" in str(error.value)


# Names


def test_a_name_has_1_to_512_characters() -> None:
    assert limits.name("name", "n" * 512) == "n" * 512
    assert limits.name("name", "名" * 512) == "名" * 512
    refused(limits.name, "n" * 513, "512 characters")
    refused(limits.name, "", "blank")


def test_a_name_is_measured_as_it_is_compared() -> None:
    ligature = "\ufdfa"  # one character that folds into eighteen
    refused(limits.name, ligature * 100, "512 characters")


def test_a_label_is_in_the_form_nfkc() -> None:
    for check in (limits.label, limits.kind, limits.relation_type):
        assert check("label", "E = mc² ™") == "E = mc2 TM"


def test_a_name_keeps_its_signs_and_has_accents_in_one_character() -> None:
    assert limits.name("name", "mc² ™ 質問：Cafe\u0301…") == "mc² ™ 質問：Caf\u00e9…"


def test_spaces_of_a_name_are_trimmed_and_collapsed() -> None:
    assert limits.name("name", "  Redis \t\n cache\u3000") == "Redis cache"


@pytest.mark.parametrize("check", VISIBLE_CHECKS)
@pytest.mark.parametrize("value", ["", " ", "\t\n", "\u3000", "\u2028", "\u200b", "\u2060 \ufe0f"])
def test_a_blank_name_or_label_is_refused(check: Check, value: str) -> None:
    refused(check, value, "blank")


@pytest.mark.parametrize("check", VISIBLE_CHECKS)
@pytest.mark.parametrize("mark", ["\0", "\x07", "\x1b", "\x7f", "\x9f"])
def test_control_characters_are_refused_in_names_and_labels(check: Check, mark: str) -> None:
    refused(check, f"a{mark}b", "control")


@pytest.mark.parametrize("check", VISIBLE_CHECKS)
@pytest.mark.parametrize("mark", ["\u200e", "\u200f", "\u202a", "\u202e", "\u2066", "\u2069"])
def test_bidi_controls_are_refused_in_names_and_labels(check: Check, mark: str) -> None:
    refused(check, f"a{mark}b", "bidi")


@pytest.mark.parametrize("check", [*VISIBLE_CHECKS, limits.text])
def test_lone_surrogates_are_refused(check: Check) -> None:
    refused(check, f"a{SURROGATE}b", "valid Unicode")


@pytest.mark.parametrize("check", [*VISIBLE_CHECKS, limits.text])
@pytest.mark.parametrize("value", [None, 1, True, b"bytes", ["a"], {"a": "b"}])
def test_what_is_no_text_is_refused(check: Check, value: object) -> None:
    refused(check, value, "text")


@pytest.mark.parametrize(
    "name", ["Аутентификация", "登录", "تسجيل الدخول", "C++", "🚀 Launch", "a"]
)
def test_names_of_every_script_are_kept(name: str) -> None:
    assert limits.name("name", name) == name


# Kinds, types, tags, categories, statuses and projects


@pytest.mark.parametrize("check", LABEL_CHECKS)
def test_a_label_has_at_most_200_characters_and_512_bytes(check: Check) -> None:
    assert check("kind", "k" * 200) == "k" * 200
    assert check("kind", "я" * 200) == "я" * 200
    refused(check, "k" * 201, "200 characters and 512 bytes")
    refused(check, "登" * 171, "200 characters and 512 bytes")  # 513 bytes


@pytest.mark.parametrize("kind", ["Entity", "Passage", "Graphmem", "GraphmemRequest", " Entity "])
def test_a_kind_that_is_graphmems_own_label_is_refused(kind: str) -> None:
    refused(limits.kind, kind, "graphmem's own")


def test_a_relation_type_that_is_graphmems_own_is_refused() -> None:
    refused(limits.relation_type, "HAS_PASSAGE", "graphmem's own")


@pytest.mark.parametrize("check", [limits.names, limits.labels])
def test_lists_drop_doubles_and_keep_their_order(check: Check) -> None:
    assert check("tags", ["b", "a", " b "]) == ("b", "a")


@pytest.mark.parametrize("check", [limits.names, limits.labels])
@pytest.mark.parametrize("value", ["text", b"bytes", 5, None, {"a": 1}])
def test_what_is_no_list_of_texts_is_refused(check: Check, value: object) -> None:
    refused(check, value, "list of texts")


@pytest.mark.parametrize("check", [limits.names, limits.labels])
def test_a_list_has_at_most_1000_items_and_names_the_one_refused(check: Check) -> None:
    refused(check, [str(number) for number in range(1001)], "1000 items")
    with pytest.raises(InvalidInput) as error:
        check("tags", ["fine", "\0"])
    assert error.value.argument == "tags[1]"


@given(ALL_TEXT)
@example("x" * STORE_KILLER_BYTES)
@example("ﷺ" * 200)
@example("ΐ" * 200)
def test_no_text_gets_past_the_checks_that_could_destroy_the_store(value: str) -> None:
    checks: list[Check] = [
        *LABEL_CHECKS,
        lambda _, value: check_project_name(str(value)),
    ]
    for check in checks:
        try:
            checked = str(check("field", value))
        except InvalidInput:
            continue
        assert len(checked.encode()) <= limits.LABEL_BYTES
        assert len(text.normalised(checked).encode()) <= STORE_KILLER_BYTES
        assert not any(unicodedata.category(mark) in {"Cc", "Cs"} for mark in checked)


# Texts


def test_a_text_has_at_most_one_mebibyte() -> None:
    assert limits.text("text", "t" * MIB) == "t" * MIB
    refused(limits.text, "t" * (MIB + 1), "1 MiB")
    refused(limits.text, "я" * (MIB // 2 + 1), "1,048,578 bytes")


def test_a_text_keeps_everything_but_nul() -> None:
    written = "  \ta\r\n\u202eb\x07\u200bc\0d\n"

    assert limits.text("text", written) == written.replace("\0", "")


# Numbers and moments


@pytest.mark.parametrize("value", [0, 1, 0.5, 0.0, 1.0])
def test_a_share_is_from_0_to_1(value: float) -> None:
    assert limits.share("weight", value) == value


@pytest.mark.parametrize("value", [-0.1, 1.1, float("nan"), float("inf"), 2, True, "0.5", None])
def test_any_other_share_is_refused(value: object) -> None:
    refused(limits.share, value, "from 0 to 1")


@pytest.mark.parametrize(
    "value",
    [
        "2026-03-01T10:00:00Z",
        "2026-03-01T12:00:00+02:00",
        " 2026-03-01T10:00:00 ",
        datetime(2026, 3, 1, 10),  # noqa: DTZ001 - without a zone it is UTC
        datetime(2026, 3, 1, 5, tzinfo=timezone(timedelta(hours=-5))),
    ],
)
def test_a_moment_is_in_utc(value: object) -> None:
    found = limits.moment("created_at", value)

    assert (found, found.tzinfo) == (datetime(2026, 3, 1, 10, tzinfo=UTC), UTC)


@pytest.mark.parametrize("value", ["2026-03-01", "20260301", date(2026, 3, 1)])
def test_a_day_is_its_first_moment(value: object) -> None:
    assert limits.moment("since", value) == datetime(2026, 3, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    "value", ["2026-03-01", " 20260301 ", "2026-W09-7", "2026W097", date(2026, 3, 1)]
)
def test_the_end_of_a_day_is_its_last_microsecond(value: object) -> None:
    end = limits.end_of("until", value)

    assert end + timedelta(microseconds=1) == datetime(2026, 3, 2, tzinfo=UTC)


@pytest.mark.parametrize(
    ("value", "checked"), [(" a  b ", "a b"), ("", None), (7, None), (None, None)]
)
def test_what_a_check_refuses_is_nothing_where_that_is_allowed(
    value: object, checked: str | None
) -> None:
    assert limits.or_none(limits.name, value) == checked


@pytest.mark.parametrize(
    "value",
    [
        "", "yesterday", "2026-13-01", 1772352000, None, True, SURROGATE, "10000-01-01",
        # Milliseconds since 1970, of which a day in 1712 and some time of it could be read.
        "1712052000000", " 17120520103000123",
        # A whole week, of which the first moment could be read.
        "2026-W14", " 2026W14", "2026-W14T10:00",
    ],
)  # fmt: skip
def test_any_other_moment_is_refused(value: object) -> None:
    refused(limits.moment, value, "such as 2026-03-01")


def test_a_moment_whose_utc_has_no_year_is_refused() -> None:
    refused(limits.moment, "0001-01-01T00:00:00+05:00", "year")
    refused(limits.moment, "9999-12-31T23:00:00-05:00", "year")


# Own attributes


@pytest.mark.parametrize(
    "value",
    ["text", 1, -(2**63), 2**63 - 1, 1.5, True, date(2026, 3, 1), ["a", "b"], [1, 2], [], [True]],
)
def test_an_attribute_is_a_scalar_or_a_flat_list(value: object) -> None:
    assert limits.attribute("owner", value) == value


def test_whole_numbers_among_others_become_floats() -> None:
    found = limits.attribute("sizes", [1, 2.5])

    assert found == [1.0, 2.5]
    assert isinstance(found, list)
    assert {type(item) for item in found} == {float}


@pytest.mark.parametrize("written", ["2026-03-01T10:00:00", "2026-03-01T12:00:00+02:00"])
def test_a_moment_among_attributes_is_in_utc(written: str) -> None:
    for value in (datetime.fromisoformat(written), {"datetime": written}):
        found = limits.attribute("due", value)

        assert isinstance(found, datetime)
        assert (found, found.tzinfo) == (datetime(2026, 3, 1, 10, tzinfo=UTC), UTC)


class Timestamp(datetime):
    """A moment of a library, such as pandas."""


class Day(date):
    """A day of a library, such as pendulum."""


class NotATime(datetime):
    """What pandas has in place of a missing moment."""

    def astimezone(self, tz: tzinfo | None = None) -> Self:  # noqa: ARG002 - of the library
        return self

    def date(self) -> date:
        raise ValueError


class Level(IntEnum):
    HIGH = 3


@pytest.mark.parametrize(
    ("value", "plain"),
    [
        (Timestamp(2026, 3, 1, 10, tzinfo=UTC), datetime(2026, 3, 1, 10, tzinfo=UTC)),
        (Day(2026, 3, 1), date(2026, 3, 1)),
        (Level.HIGH, 3),
    ],
)
def test_a_value_of_a_subclass_becomes_one_that_the_database_takes(
    value: object, plain: object
) -> None:
    for attribute, expected in ((value, plain), ([value, plain], [plain, plain])):
        found = limits.attribute("due", attribute)

        assert found == expected
        assert {type(item) for item in (found if isinstance(found, list) else [found])} == {
            type(plain)
        }


def test_a_moment_of_a_subclass_becomes_a_plain_one() -> None:
    found = limits.moment("created_at", Timestamp(2026, 3, 1, 10, tzinfo=UTC))

    assert type(found) is datetime
    refused(limits.moment, NotATime(2026, 3, 1, tzinfo=UTC), "must be a date")


@pytest.mark.parametrize(
    ("value", "match"),
    [
        ({"a": 1}, "text, a number"),
        ({"a": 1, "b": 2}, "text, a number"),
        ([["nested"]], "text, a number"),
        ([{"a": 1}], "text, a number"),
        (None, "text, a number"),
        (b"bytes", "text, a number"),
        ([1, "a"], "one type"),
        ([True, 1], "one type"),
        ([date(2026, 3, 1), "a"], "one type"),
        (2**63, "64 bits"),
        (-(2**63) - 1, "64 bits"),
        (float("nan"), "finite"),
        (float("-inf"), "finite"),
        ([1.0, float("nan")], "finite"),
        (list(range(1001)), "1000 items"),
        ("t" * (MIB + 1), "1 MiB"),
        (f"a{SURROGATE}", "valid Unicode"),
        ({"date": "soon"}, "such as 2026-03-01"),
    ],
)
def test_any_other_attribute_is_refused(value: object, match: str) -> None:
    refused(limits.attribute, value, match)


# What graphmem notes for itself, in the store or one day.
OWN = ("graphmem_filters", "graphmem_since", "graphmem_", "graphmem_whatever")


@pytest.mark.parametrize("reserved", [*sorted(RESERVED_ATTRIBUTES.names), *OWN])
def test_a_reserved_attribute_of_an_entity_is_refused(reserved: str) -> None:
    with pytest.raises(InvalidInput, match="graphmem's own") as error:
        Entity.from_json({"name": "n", "attributes": {reserved: "x"}})
    assert error.value.argument == "entity.attributes"


@pytest.mark.parametrize("reserved", [*sorted(RESERVED_RELATION_ATTRIBUTES.names), *OWN])
def test_a_reserved_attribute_of_a_relation_is_refused(reserved: str) -> None:
    said = {"from": "a", "relation": "R", "to": "b", "attributes": {reserved: "x"}}

    with pytest.raises(InvalidInput, match="graphmem's own"):
        Relation.from_json(said)


# Names that were graphmem's own until it gave them a prefix.
FREE = ("filters", "handles", "names", "called", "identifier_parts", "assertions", "imported",
        "unlinked", "graphmem", "_graphmem_x", "Graphmem_x")  # fmt: skip


@pytest.mark.parametrize("name", FREE)
def test_a_name_that_graphmem_does_not_need_may_be_an_attribute(name: str) -> None:
    asserted = {"name": "n", "attributes": {name: "x"}}
    assert Entity.from_json(asserted).to_json()["attributes"] == {name: "x"}
    related = {"from": "a", "relation": "R", "to": "b", "attributes": {name: "x"}}
    assert Relation.from_json(related).to_json()["attributes"] == {name: "x"}
    assert Where.from_json({"attributes": {name: "x"}}).conditions[0].name == name


@pytest.mark.parametrize(
    "expected", [{">": "0.5"}, ">0.5", "high", {"<=": True}, {"<": 1.5}, [0.5, -1], {"!=": "low"}]
)
@pytest.mark.parametrize("within", [lambda value: value, lambda value: {"attributes": value}])
def test_a_confidence_is_compared_only_with_numbers_from_0_to_1(
    expected: object, within: Callable[[dict[str, object]], dict[str, object]]
) -> None:
    with pytest.raises(InvalidInput, match=r"confidence must be (a number )?from 0 to 1"):
        Where.from_json(within({"confidence": expected}))


@pytest.mark.parametrize(
    ("read", "fields", "question"),
    [
        (Entity.from_json, {"name": "A", "entityType": "B"}, "`kind` for `entityType`"),
        (Entity.from_json, {"name": "A", "label": "B"}, "`kind` for `label`"),
        (Entity.from_json, {"name": "A", "content": "B"}, "`text` for `content`"),
        (Entity.from_json, {"name": "A", "alias": "B"}, "`aliases` for `alias`"),
        (
            Relation.from_json,
            {"source": "A", "target": "B", "relationType": "R"},
            "`relation` for `relationType`, `to` for `target`",
        ),
    ],
)
def test_the_field_is_named_that_other_tools_call_otherwise(
    read: Callable[[object], object], fields: dict[str, object], question: str
) -> None:
    with pytest.raises(InvalidInput) as refused:
        read(fields)
    assert str(refused.value).endswith(f". Did you mean {question}?")


def test_none_is_shown_where_it_was_given() -> None:
    with pytest.raises(InvalidInput, match=r"^query must be text, got None$") as refused:
        arguments.query(None)
    assert str(refused.value.renamed("QUERY")) == "QUERY must be text, got None"
    missing = InvalidInput("to", NOT_SHOWN, "is required")
    assert (str(missing), missing.value) == ("to is required", None)
    assert str(missing.renamed("TO")) == "TO is required"


def test_all_fields_that_there_are_not_are_named_at_once() -> None:
    with pytest.raises(InvalidInput, match=r", got \['Kind', 'Name'\]\. Did you mean `kind` for"):
        Entity.from_json({"Name": "a", "Kind": "b"})
    with pytest.raises(InvalidInput, match=r", got 'Kind'\. Did you mean `kind` for `Kind`\?$"):
        Entity.from_json({"name": "a", "Kind": "b"})


def test_the_fields_that_there_are_are_told_once_in_a_call() -> None:
    entities: list[dict[str, object]] = [{"name": "a", "nmae": "b"}, {"name": "c", "titel": "d"}]
    read = Input.read(entities, [{"from": "a", "relation": "R", "to": "c", "why": "e"}])
    first, second, third = (str(item.reason) for item in (*read.entities, *read.relations))  # type: ignore[union-attr]

    assert first.startswith("entities[0] may only have the fields aliases, attributes, ")
    assert second == (
        "entities[1] may only have the fields of entities[0], listed there, got 'titel'. Did you "
        "mean `title` for `titel`?"
    )
    assert third.startswith("relations[0] may only have the fields attributes, confidence, ")


def test_all_problems_of_an_item_are_told_at_once() -> None:
    entity = {"nmae": "a", "confidence": "0.9", "tags": "x", "observations": [1]}
    relation = {"from": "a", "to": "", "weight": 2, "why": "b"}
    read = Input.read([entity, {"name": "fine"}], [relation, {"from": "a"}])
    reasons = [
        str(one.reason) for one in (*read.entities, *read.relations) if isinstance(one, Item)
    ]

    parts = [reason.split("; ") for reason in reasons]
    assert [[part.split()[0] for part in some] for some in map(sorted, parts)] == [
        [
            "entities[0]",
            "entities[0].confidence",
            "entities[0].name",
            "entities[0].observations[0]",
            "entities[0].tags",
        ],
        ["relations[0]", "relations[0].relation", "relations[0].to", "relations[0].weight"],
        ["relations[1].relation", "relations[1].to"],
    ]


@pytest.mark.parametrize(
    ("where", "hint"),
    [
        ({"tag": "a"}, "Filter by `tags`, `where.tags_all` or `where.tags_none` instead."),
        ({"path": "src"}, "Filter by `where.attributes` {'path': 'src'} instead."),
        ({"tag_all": "a"}, "Filter by `where.tags_all` instead."),
    ],
)
def test_a_filter_that_there_is_not_is_told_what_may_be_meant(
    where: dict[str, object], hint: str
) -> None:
    with pytest.raises(InvalidInput) as raised:
        Where.from_json(where)
    assert str(raised.value).endswith(hint)


def test_a_filter_that_is_an_argument_of_its_own_is_told_so() -> None:
    with pytest.raises(InvalidInput) as raised:
        Where.from_json({"kinds": ["a"], "since": "2026-03-01"})
    told = ", got ['kinds', 'since']. Filter by `kinds` and `since` instead."
    assert str(raised.value).endswith(told)


def test_a_confidence_may_be_compared_with_its_bounds() -> None:
    where = Where.from_json({"confidence": {">=": 0, "<=": 1, "!=": 0.5}})
    assert [condition.values for condition in where.conditions] == [(0,), (1,), (0.5,)]


@pytest.mark.parametrize("name", [*OWN, "text", "live", "key"])
def test_graphmems_own_properties_are_no_condition(name: str) -> None:
    with pytest.raises(InvalidInput, match="built-in field"):
        Where.from_json({"attributes": {name: "x"}})


@pytest.mark.parametrize(
    "name", ["", " ", "1st", "a`b", "a$b", "a{", "a\0b", f"a{SURROGATE}", 5, "n" * 201]
)
def test_an_attributes_name_is_a_word(name: object) -> None:
    with pytest.raises(InvalidInput, match="attributes name"):
        limits.attributes("attributes", {name: "x"}, reserved=frozenset())


def test_an_attribute_without_a_value_is_left_out() -> None:
    assert limits.attributes("attributes", {"owner": None}, reserved=frozenset()) == {}


def test_attributes_hold_at_most_2000_values_in_all() -> None:
    most: dict[str, object] = {"one": list(range(1000)), "other": list(range(1000))}
    assert limits.attributes("attributes", most, reserved=frozenset()) == most
    with pytest.raises(InvalidInput, match="at most 2,000 values in all, got 2001"):
        limits.attributes("attributes", most | {"third": 1}, reserved=frozenset())


def test_an_entity_has_at_most_200_attributes() -> None:
    many = {f"a{number}": number for number in range(201)}
    with pytest.raises(InvalidInput, match="at most 200"):
        limits.attributes("attributes", many, reserved=frozenset())
