"""Who asserted what: the latest word counts, the others are kept, and nothing is said twice."""

from datetime import UTC, datetime, timedelta
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from graphmem.model.entity import DEFAULT_KIND
from graphmem.model.observation_fields import OBSERVATION_FIELDS
from graphmem.model.provenance import CALLER, UNKNOWN
from graphmem.model.status import FORGOTTEN, REMOVED
from graphmem.write.assertions.observations import merged_observations
from graphmem.write.assertions.provenance import MOST_IMPORTS, STATUS, Fact, Ledger

TITLE: Fact = ("title", "")
KIND: Fact = ("kind", "")
OWNER: Fact = ("attribute", "owner")
NOW = datetime(2026, 11, 22, tzinfo=UTC)
LATER = NOW + timedelta(hours=1)


def imported(**facts: object) -> Ledger:
    return Ledger().record("md:a", {(name, ""): v for name, v in facts.items()}, NOW, replaces=True)


def test_the_latest_assertion_of_a_fact_wins() -> None:
    ledger = imported(title="One").record(CALLER, {TITLE: "Two"}, LATER, replaces=False)
    assert ledger.facts() == {TITLE: "Two"}


def test_a_repeated_import_asserts_nothing_new() -> None:
    noted = imported(title="One").record(CALLER, {TITLE: "Two"}, LATER, replaces=False)
    again = noted.record("md:a", {TITLE: "One"}, LATER + timedelta(days=1), replaces=True)
    assert again == noted


def test_a_caller_who_repeats_an_overruled_value_asserts_it_again() -> None:
    noted = imported(title="One").record(CALLER, {TITLE: "Two"}, NOW, replaces=False)
    changed = noted.record("md:a", {TITLE: "Three"}, LATER, replaces=True)
    assert changed.facts() == {TITLE: "Three"}
    assert changed.record(CALLER, {TITLE: "Two"}, LATER, replaces=False).facts() == {TITLE: "Two"}


def test_withdrawing_an_assertion_restores_the_other_one() -> None:
    noted = imported(title="One").record(CALLER, {TITLE: "Two"}, LATER, replaces=False)
    assert noted.without(CALLER).facts() == {TITLE: "One"}
    assert noted.record("md:a", {}, LATER, replaces=True).facts() == {TITLE: "Two"}


def test_a_new_assertion_is_later_than_earlier_ones_whatever_the_clock_says() -> None:
    slow_clock = NOW - timedelta(days=1)
    noted = imported(title="One").record(CALLER, {TITLE: "Two"}, slow_clock, replaces=False)
    assert noted.facts() == {TITLE: "Two"}
    assert noted.withdraw(CALLER, [TITLE], slow_clock).facts() == {}
    assert noted.deny(CALLER, TITLE, slow_clock).facts() == {}


def test_of_two_assertions_at_one_moment_the_callers_wins() -> None:
    words = [Ledger.of_author(author, {TITLE: author}, NOW) for author in (CALLER, "md:a")]
    assert words[0].joined(words[1]).facts() == {TITLE: CALLER}


def test_taking_over_assertions_of_another_author_keeps_the_own_ones() -> None:
    ledger = Ledger.of_author("md:b", {TITLE: "Two"}, NOW)
    ledger = ledger.record("md:a", {TITLE: "One", OWNER: "ops"}, LATER, replaces=True)
    renamed = ledger.renamed("md:a", "md:b")
    assert renamed.facts() == {TITLE: "Two", OWNER: "ops"}
    assert renamed.authors == ("md:b",)


def test_a_denied_fact_stays_away_until_a_later_assertion() -> None:
    ledger = imported(title="One").withdraw(CALLER, [TITLE], LATER)
    assert ledger.facts() == {}
    assert ledger.record("md:a", {TITLE: "One"}, LATER, replaces=True).facts() == {}
    assert ledger.record("md:a", {TITLE: "New"}, LATER, replaces=True).facts() == {TITLE: "New"}


def test_denying_what_nobody_else_asserts_stores_nothing() -> None:
    ledger = Ledger().record(CALLER, {TITLE: "One"}, NOW, replaces=False)
    assert ledger.withdraw(CALLER, [TITLE], LATER).words == {}


def test_what_a_caller_forgot_stays_forgotten_whatever_an_import_says_later() -> None:
    hidden = imported(status="draft").record(CALLER, {STATUS: FORGOTTEN}, NOW, replaces=False)
    later = hidden.record("md:a", {STATUS: "done"}, LATER, replaces=True)
    assert later.facts() == {STATUS: FORGOTTEN}


def test_any_other_status_of_a_caller_gives_way_to_a_later_one() -> None:
    draft = Ledger().record(CALLER, {STATUS: "draft"}, NOW, replaces=False)
    assert draft.record("md:a", {STATUS: "done"}, LATER, replaces=True).facts() == {STATUS: "done"}


def test_of_two_assertions_of_an_author_in_two_stores_the_later_wins() -> None:
    earlier, later = (
        Ledger().record("md:a", {TITLE: title}, at, replaces=True)
        for title, at in (("One", NOW), ("Two", LATER))
    )
    assert earlier.joined(later).facts() == later.joined(earlier).facts() == {TITLE: "Two"}


def test_what_is_of_an_unknown_author_and_not_said_again_is_kept() -> None:
    old = Ledger.of_author(UNKNOWN, {TITLE: "One", OWNER: "ops"}, NOW)
    taken = old.without_unknown([TITLE]).record("md:a", {TITLE: "One"}, LATER, replaces=True)
    assert taken.facts() == {TITLE: "One", OWNER: "ops"}
    assert taken.record("md:a", {}, LATER, replaces=True).facts() == {OWNER: "ops"}
    assert old.without_unknown([TITLE, OWNER]) == Ledger()


def test_the_values_1_and_true_are_different() -> None:
    ledger = Ledger().record("md:a", {OWNER: 1}, NOW, replaces=True)
    ledger = ledger.record(CALLER, {OWNER: True}, LATER, replaces=False)
    read = Ledger.decoded(ledger.authors, ledger.encoded(ledger.facts()), ledger.facts())
    assert [repr(word.value) for word in read.words[OWNER].values()] in (
        ["1", "True"],
        ["True", "1"],
    )


def test_a_value_of_another_type_is_a_new_assertion() -> None:
    ledger = Ledger().record("md:a", {OWNER: 1}, NOW, replaces=True)
    changed = ledger.record("md:a", {OWNER: True}, LATER, replaces=True).facts()
    assert changed[OWNER] is True


def test_a_status_is_read_back_where_the_entity_is_hidden() -> None:
    ledger = imported(status="done").record(CALLER, {TITLE: "One"}, LATER, replaces=False)
    facts = ledger.facts()
    hidden = facts | {STATUS: REMOVED}
    assert Ledger.decoded(ledger.authors, ledger.encoded(facts), hidden) == ledger


def test_what_is_denied_is_read_back_where_the_entity_has_a_default() -> None:
    ledger = imported(kind="Service").withdraw(CALLER, [KIND], LATER)
    facts = ledger.facts()
    default = facts | {KIND: DEFAULT_KIND}
    assert Ledger.decoded(ledger.authors, ledger.encoded(facts), default) == ledger


def test_assertions_of_very_many_imports_of_one_entity_are_kept() -> None:
    ledger = Ledger().record(CALLER, {TITLE: "By hand"}, NOW, replaces=False)
    for day in range(MOST_IMPORTS + 20):
        ledger = ledger.record(f"jsonl:{day}", {("tag", str(day)): str(day)}, LATER, replaces=True)
    assert len(ledger.authors) == MOST_IMPORTS + 2
    assert {CALLER, UNKNOWN} < set(ledger.authors)
    assert len(ledger.facts()) == MOST_IMPORTS + 21


def test_what_a_caller_observed_outlives_very_many_imports_that_say_it_too() -> None:
    passage = {"id": "a", "text": "By hand", "asserted_by": [CALLER], "created_at": NOW}
    asserted = [{"id": "a", "text": "By hand"} | dict.fromkeys(OBSERVATION_FIELDS)]
    observations: list[dict[str, Any]] = [passage]
    ledger = Ledger()
    for day in range(MOST_IMPORTS + 20):
        observations, ledger = merged_observations(
            observations, asserted, ledger, author=f"jsonl:{day}", replaces=True, now=LATER
        )
    assert len(observations[0]["asserted_by"]) == MOST_IMPORTS + 1
    for day in range(MOST_IMPORTS + 20):
        observations, ledger = merged_observations(
            observations, [], ledger, author=f"jsonl:{day}", replaces=True, now=LATER
        )
    assert [item["asserted_by"] for item in observations] == [[CALLER]]


def test_a_caller_who_repeats_a_denied_observation_allows_it_where_it_is_and_where_it_is_not() -> (
    None
):
    observed = {"id": "a", "text": "Windy"} | dict.fromkeys(OBSERVATION_FIELDS)
    denied = imported(title="One").deny(CALLER, ("observation", "a"), NOW)
    for stored in ([], [observed | {"asserted_by": ["md:a"]}]):
        observations, ledger = merged_observations(
            stored, [observed], denied, author=CALLER, replaces=False, now=LATER
        )
        assert CALLER in observations[0]["asserted_by"]
        assert ledger.word(CALLER, ("observation", "a")) is None


def test_an_observation_that_a_caller_denied_is_not_brought_back_by_an_import() -> None:
    observed = {"id": "a", "text": "Windy"} | dict.fromkeys(OBSERVATION_FIELDS)
    denied = imported(title="One").deny(CALLER, ("observation", "a"), NOW)
    brought = merged_observations([], [observed], denied, author="md:a", replaces=True, now=LATER)
    assert brought == ([], denied)


def test_who_repeats_an_observation_of_an_unknown_author_takes_it_over() -> None:
    observed = {"id": "a", "text": "Windy"} | dict.fromkeys(OBSERVATION_FIELDS)
    observations, _ = merged_observations(
        [observed | {"asserted_by": [UNKNOWN]}], [observed], Ledger((UNKNOWN,)),
        author="md:a", replaces=True, now=NOW,
    )  # fmt: skip
    assert observations[0]["asserted_by"] == ["md:a"]


def test_an_unknown_author_is_one_as_long_as_an_observation_is_theirs() -> None:
    observed = {"id": "a", "text": "Windy", "asserted_by": [UNKNOWN]}
    for stored, authors in (([observed], ("md:a", UNKNOWN)), ([], ("md:a",))):
        _, ledger = merged_observations(
            stored, [], Ledger(("md:a",)), author="md:a", replaces=True, now=NOW
        )
        assert ledger.authors == authors


# Values as they are checked: a NUL never comes so far.
TEXTS = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=5)
VALUES = st.one_of(
    TEXTS, st.booleans(), st.integers(-9, 9), st.dates(), st.lists(st.integers(0, 3))
)
SPEECH = st.lists(
    st.tuples(
        st.sampled_from([CALLER, "md:a", "jsonl:b"]),
        st.dictionaries(st.sampled_from("abc"), VALUES, max_size=3),
    ),
    max_size=8,
)


@given(SPEECH)
def test_a_ledger_is_read_as_it_was_written(speech: list[tuple[str, dict[str, object]]]) -> None:
    ledger = Ledger()
    for author, attributes in speech:
        facts = {("attribute", name): value for name, value in attributes.items()}
        ledger = ledger.record(author, facts, NOW, replaces=author != CALLER)
    facts = ledger.facts()
    assert Ledger.decoded(ledger.authors, ledger.encoded(facts), facts) == ledger


@given(SPEECH)
def test_repeating_the_last_assertion_changes_nothing(
    speech: list[tuple[str, dict[str, object]]],
) -> None:
    ledger = Ledger()
    for author, attributes in speech:
        facts = {("attribute", name): value for name, value in attributes.items()}
        ledger = ledger.record(author, facts, NOW, replaces=author != CALLER)
        assert ledger.record(author, facts, LATER, replaces=author != CALLER) == ledger
