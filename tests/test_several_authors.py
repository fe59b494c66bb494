"""What becomes of an entity and of a relation of which several authors speak."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from graphmem.model import Entity
from graphmem.model.paths import AUTHORS, HIDDEN
from graphmem.model.provenance import CALLER, UNKNOWN
from graphmem.model.status import REMOVED
from graphmem.write.assertions import links
from graphmem.write.assertions.entity_changes import as_before, joined_into, renamed
from graphmem.write.assertions.facts import ledger_of
from graphmem.write.assertions.shape import Stored
from graphmem.write.assertions.states import difference, stored_state
from graphmem.write.assertions.upsert import upserted, with_status, withdrawn, without_status
from graphmem.write.deleting.asserted_rows import source_of
from graphmem.write.deleting.stale import _item
from graphmem.write.history.entity_effect import EntityEffect
from graphmem.write.options import WriteOptions

NOW = datetime(2026, 11, 22, tzinfo=UTC)
LATER = NOW + timedelta(hours=1)
IMPORT = "md:a"
NEW = Stored("p#cache", {}, (), ())


def said(stored: Stored, author: str = CALLER, *, again: bool = False, **fields: Any) -> Stored:  # noqa: ANN401 - as JSON has them
    """The entity once an author has said something of it."""
    options = {
        name: fields.pop(name) for name in ("overwrite", "may_lower_confidence") if name in fields
    }
    entity = Entity.from_json({"name": "Cache", **fields}, corrects=True)
    write_options = replace(WriteOptions("p", author), **options)
    now = LATER if stored.properties else NOW
    desired = upserted(stored, entity, options=write_options, now=now, again=again)
    return kept(desired)


def kept(desired: Any) -> Stored:  # noqa: ANN401 - a Desired
    """The entity as it is stored."""
    return Stored(desired.key, desired.properties, desired.labels, desired.passages)


def notes(stored: Stored) -> list[str]:
    return [passage["text"] for passage in stored.observations]


# What is said


def test_what_an_import_says_again_of_an_entity_is_added_and_at_its_next_run_replaced() -> None:
    first = said(NEW, IMPORT, tags=["a"])
    assert said(first, IMPORT, tags=["b"], again=True).properties["tags"] == ["a", "b"]
    assert said(first, IMPORT, tags=["b"]).properties["tags"] == ["b"]


def test_a_caller_who_overwrites_replaces_observations() -> None:
    first = said(NEW, observations=["One"])
    assert notes(said(first, observations=["Two"])) == ["One", "Two"]
    assert notes(said(first, observations=["Two"], overwrite=True)) == ["Two"]


def test_an_import_that_may_not_lower_a_confidence_keeps_its_own_word() -> None:
    first = said(said(NEW, IMPORT, confidence=0.5), confidence=0.9)
    lower = said(first, IMPORT, confidence=0.3, may_lower_confidence=False)
    assert lower.properties["confidence"] == 0.9
    assert ledger_of(lower.properties, ()).without(CALLER).facts()["confidence", ""] == 0.5


def test_an_author_alone_corrects_when_an_entity_was_made_and_others_do_not() -> None:
    first = said(NEW, IMPORT, created_at="2025-01-01T00:00:00Z")
    assert (
        said(first, IMPORT, created_at="2024-01-01T00:00:00Z").properties["created_at"].year == 2024
    )
    assert said(first, created_at="2024-01-01T00:00:00Z").properties["created_at"].year == 2025


def test_a_caller_ends_what_an_import_observed_and_the_import_does_not_open_it_again() -> None:
    first = said(NEW, IMPORT, observations=["Windy"])
    ended = said(first, observations=[{"text": "Windy", "valid_until": "2026-01-01"}])
    assert str(ended.observations[0]["valid_until"]) == "2026-01-01"
    assert said(ended, IMPORT, observations=["Windy"]).observations == ended.observations


def test_an_observation_that_is_replaced_by_one_that_is_replaced_goes() -> None:
    first = said(NEW, observations=["One", "Two"])
    one, two = (passage["id"] for passage in first.observations)
    replaced = said(first, observations=[{"id": one, "text": "Two"}, {"id": two, "text": "Three"}])
    assert notes(replaced) == ["Three"]


def test_a_tag_is_removed_in_letters_of_any_case() -> None:
    first = said(NEW, tags=["Infra", "hot"])
    assert said(first, remove={"tags": ["INFRA"]}).properties["tags"] == ["hot"]


# What is taken back


def test_an_entity_that_only_an_unknown_author_still_speaks_of_is_hidden() -> None:
    stored = Stored("p#cache", said(NEW, IMPORT, title="One").properties, (), ())
    stored = replace(stored, properties={**stored.properties, "asserted_by": [UNKNOWN, IMPORT]})
    assert withdrawn(stored, IMPORT).properties["status"] == REMOVED
    row = {"key": "p#cache", "name": "Cache", "authors": [UNKNOWN, IMPORT]}
    assert _item(row, IMPORT, {}).outcome == "removed"
    row |= {"authors": [CALLER, IMPORT]}
    assert _item(row, IMPORT, {}).outcome == "updated"
    assert _item(row, IMPORT, {"p#cache": "p#store"}).outcome == "removed"


def test_the_source_that_decides_is_the_one_that_the_import_gave() -> None:
    stored = said(said(NEW, IMPORT, source="a.md"), source="wiki").properties
    row = {
        "source": stored["source"], "authors": stored["asserted_by"],
        "record": stored["graphmem_assertions"],
    }  # fmt: skip
    assert (stored["source"], source_of(row, IMPORT)) == ("wiki", "a.md")


def test_only_a_status_that_hides_is_taken_back() -> None:
    assert without_status(said(NEW, status="draft")).properties["status"] == "draft"
    forgotten = kept(with_status(said(NEW, status="draft"), "forgotten", now=LATER))
    assert without_status(forgotten).properties["status"] == "active"


def test_who_hides_an_entity_or_gives_it_another_name_does_not_assert_it() -> None:
    stored = said(NEW, IMPORT, title="One")
    for changed in (
        with_status(stored, "forgotten", now=LATER),
        renamed(stored, "Store", now=LATER),
    ):
        assert changed.properties["asserted_by"] == [IMPORT]


# Other names, merges, and what was before


def test_an_alias_that_becomes_the_name_is_no_alias_and_the_earlier_name_is_one() -> None:
    stored = said(NEW, aliases=["Store"])
    assert renamed(stored, "Store", now=LATER).properties["aliases"] == ["Cache"]
    assert renamed(stored, "CACHE", now=LATER).properties["aliases"] == ["Store"]


def test_a_merged_entity_is_as_old_as_the_older_and_keeps_what_was_unlinked_from_both() -> None:
    stored = said(NEW)
    older = {"created_at": NOW - timedelta(days=1), "graphmem_unlinked": ["USES p#b"]}
    other = Stored("p#other", {**stored.properties, "name": "Other", **older}, (), ())
    own = replace(stored, properties={**stored.properties, "graphmem_unlinked": ["USES p#a"]})
    merged = joined_into(own, other, now=LATER).properties
    assert merged["created_at"] == older["created_at"]
    assert merged["graphmem_unlinked"] == ["USES p#a", "USES p#b"]


def test_who_speaks_of_an_entity_since_a_change_stays_when_that_is_undone() -> None:
    first = said(NEW, IMPORT, title="One")
    second = said(first, tags=["hot"])
    before = difference(stored_state(second), stored_state(said(second, "md:b", title="Two")))
    third = said(said(second, "md:b", title="Two"), "md:c", tags=["cold"])
    undone = as_before(third, {AUTHORS: [IMPORT, CALLER], **before}, project="p")
    assert undone.properties["asserted_by"] == [IMPORT, CALLER, "md:c"]
    assert undone.properties["title"] == "One"


def test_an_entity_that_was_hidden_is_so_again() -> None:
    assert as_before(said(NEW), {HIDDEN: True}, project="p").properties["status"] == REMOVED


@pytest.mark.parametrize("is_new", [True, False])
def test_that_another_author_repeats_an_entity_since_is_no_conflict(is_new: bool) -> None:  # noqa: FBT001 - a case
    change = EntityEffect(before={AUTHORS: [CALLER], "word/title/": None}, is_new=is_new)
    assert change.conflicting_paths([AUTHORS]) == set()
    assert change.conflicting_paths([AUTHORS, "word/title/"]) == {"word/title/"}


# Relations


def test_a_caller_takes_back_its_own_word_on_a_relation_of_an_import() -> None:
    imported = {"note": "hot", "asserted_by": [IMPORT], "created_at": NOW, "graphmem_since": ""}
    changed = links.with_words(imported, CALLER, {"note": "cold"}, LATER, replaces=False)
    assert changed["note"] == "cold"
    again = links.with_words(changed, CALLER, {"note": None}, LATER, replaces=False)
    assert "note" not in again
    assert links.without_author(again, CALLER) == imported


def test_of_two_relations_of_an_author_that_become_one_the_later_word_counts() -> None:
    first, second = (
        {"note": note, "asserted_by": [IMPORT], "created_at": at}
        for note, at in (("hot", NOW), ("cold", LATER))
    )
    assert links.joined(first, second) == first | {"note": "cold"}
    assert links.joined(second, first) == second


def test_what_was_derived_from_a_text_counts_where_nobody_else_says_anything() -> None:
    derived = {"weight": 0.9, "derived": True, "asserted_by": [IMPORT], "created_at": NOW}
    linked = links.with_words(derived, CALLER, {"note": "hot"}, LATER, replaces=False)
    assert (linked["note"], linked.get("weight"), linked.get("derived")) == ("hot", None, None)
    assert links.without_author(linked, CALLER) == derived
