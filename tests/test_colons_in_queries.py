"""A word with a colon asks for an attribute only if the store has had one of that name."""

from collections.abc import Mapping

import pytest

from graphmem.memory import Memory

ENTITIES: list[Mapping[str, object]] = [
    {"name": "Halyard", "text": "Halyard listens on port 6379 and keeps the sessions of users."},
    {"name": "Proxy", "text": "The proxy runs the image jibboom:latest in front of the pages."},
    {"name": "Web server", "text": "Jibboom serves the pages.", "attributes": {"Owner": "ops"}},
    {"name": "Timeout", "text": "HULL:capstan:could not connect, said the worker at noon."},
]


@pytest.fixture
def filled(memory: Memory) -> Memory:
    memory.remember(ENTITIES)
    return memory


def names(memory: Memory, query: str, **options: object) -> list[str]:
    return [hit.name for hit in memory.search(query, **options).hits]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("query", "best"),
    [
        ("halyard:6379", "Halyard"),
        ("cannot reach halyard:6379 any more", "Halyard"),
        ("jibboom:latest", "Proxy"),
        ("HULL:capstan:could not connect", "Timeout"),
        ("GALLEY:worker.main:could not connect", "Timeout"),
        ("halyard:6379 AND port", "Halyard"),
    ],
)
@pytest.mark.parametrize("mode", ["hybrid", "keyword"])
def test_a_pasted_word_with_a_colon_is_searched_by_its_words(
    filled: Memory, query: str, best: str, mode: str
) -> None:
    assert names(filled, query, mode=mode)[0] == best


def test_the_parts_of_a_word_with_a_colon_match_separately(filled: Memory) -> None:
    assert set(names(filled, "jibboom:stable", mode="keyword", expand=False)) == {
        "Proxy",
        "Web server",
    }


def test_an_attribute_of_the_store_stays_a_field_in_any_case(filled: Memory) -> None:
    for query in ("owner:ops", "OWNER:ops", "owner:ops AND pages"):
        answer = filled.search(query)
        assert [hit.name for hit in answer.hits] == ["Web server"]
        assert not answer.notes
    assert not filled.search("owner:web").hits


def test_a_note_says_what_was_read_as_words(filled: Memory) -> None:
    assert filled.search("halyard:6379").notes == (
        "`halyard:` was read as a word, since nothing has an attribute of that name",
    )
    assert filled.search("HULL:capstan:x owner:ops").notes == (
        "`HULL:`, `capstan:` were read as words, since nothing has such attributes",
    )
    assert (
        "`mast:`, `keel:`, `stem:` and 2 more were read"
        in filled.search("mast:1 keel:1 stem:1 luff:1 leech:1").notes[0]
    )


def test_words_under_not_are_left_out(filled: Memory) -> None:
    assert names(filled, "pages NOT jibboom:latest", mode="keyword", expand=False) == ["Web server"]


def test_a_name_becomes_a_field_with_the_first_attribute(filled: Memory) -> None:
    filled.remember([{"name": "Yard", "text": "The yardarm:spare lies below."}])
    assert names(filled, "yardarm:spare")[0] == "Yard"
    filled.remember([{"name": "Spar", "attributes": {"yardarm": "spare"}}])
    assert names(filled, "yardarm:spare", expand=False) == ["Spar"]


def test_a_name_like_a_field_asks_for_that_field(filled: Memory) -> None:
    answer = filled.search("tags:halyard")
    assert not answer.hits
    assert answer.notes[0].endswith("or write `tag:` if that field is meant")


def test_a_name_that_no_attribute_may_have_is_a_word(filled: Memory) -> None:
    assert names(filled, "key:halyard live:6379")[0] == "Halyard"


def test_a_field_in_quotation_marks_stays_one(filled: Memory) -> None:
    answer = filled.search('"due.bell":halyard')
    assert not answer.hits
    assert answer.notes == (
        "`due.bell:` searches an attribute; quote it to search for the literal text",
    )
