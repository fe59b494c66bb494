"""What an entity says once another one is merged into it: its own words go on to count."""

from datetime import UTC, datetime, timedelta

import pytest

from graphmem.model.provenance import CALLER, UNKNOWN
from graphmem.write.assertions.facts import TEXT
from graphmem.write.assertions.merged_ledger import LEAD_IN, merged_ledger
from graphmem.write.assertions.provenance import STATUS, Fact, Ledger

TITLE: Fact = ("title", "")
VALID_FROM: Fact = ("valid_from", "")
NOW = datetime(2026, 11, 22, tzinfo=UTC)
LATER = NOW + timedelta(hours=1)
OWN = Ledger.of_author("md:a", {TITLE: "Redis"}, NOW)


def merged(own: Ledger, author: str, facts: dict[Fact, object], **options: bool) -> Ledger:
    """The ledger once an entity of which an author alone spoke, and later, is merged into it."""
    other = Ledger.of_author(author, facts, LATER)
    return merged_ledger(own, other, keeps_text=options.get("keeps_text", False), now=LATER)


def said_again(ledger: Ledger, author: str, facts: dict[Fact, object]) -> dict[Fact, object]:
    """What counts once an import of what was merged has run again."""
    return ledger.record(author, facts, LATER + timedelta(days=1), replaces=True).facts()


def test_in_a_merge_the_remaining_entitys_value_wins_over_a_later_one() -> None:
    ledger = merged(OWN, "md:b", {TITLE: "Valkey"})
    assert ledger.facts() == {TITLE: "Redis"}
    assert said_again(ledger, "md:b", {TITLE: "Valkey"}) == {TITLE: "Redis"}
    assert ledger.without("md:a").facts() == {TITLE: "Valkey"}


@pytest.mark.parametrize("author", [CALLER, UNKNOWN])
def test_a_merge_keeps_only_values_of_imports_beside_its_own(author: str) -> None:
    assert merged(OWN, author, {TITLE: "Valkey"}).words == OWN.words


def test_neither_the_status_nor_the_period_of_the_other_is_taken_over() -> None:
    facts: dict[Fact, object] = {STATUS: "draft", VALID_FROM: "2024", ("tag", "x"): "x"}
    ledger = merged(OWN, "md:b", facts)
    assert ledger.facts() == {TITLE: "Redis", ("tag", "x"): "x"}
    assert VALID_FROM not in ledger.words
    assert STATUS not in said_again(ledger, "md:b", facts)


def test_what_an_import_of_both_leaves_open_on_the_one_that_stays_is_nobodys_word() -> None:
    assert STATUS not in merged(OWN, "md:a", {STATUS: "draft"}).words


def test_the_lead_in_of_another_text_is_not_taken_over() -> None:
    own = Ledger.of_author("md:a", {TEXT: "A cache."}, NOW)
    facts: dict[Fact, object] = {TEXT: "A store.", LEAD_IN: "So what is it?"}
    ledger = merged(own, "md:b", facts, keeps_text=True)
    assert ledger.facts() == {TEXT: "A cache."}
    assert said_again(ledger, "md:b", facts) == {TEXT: "A cache."}


def test_an_entity_that_keeps_none_takes_over_neither_text_nor_lead_in() -> None:
    facts: dict[Fact, object] = {TEXT: "A store.", LEAD_IN: "So what is it?"}
    assert merged(OWN, "md:b", facts, keeps_text=True).facts() == {TITLE: "Redis"}
    assert merged(OWN, "md:b", facts).facts() == {TITLE: "Redis", **facts}
