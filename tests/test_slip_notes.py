"""A note where the name of a new placeholder is nearly that of another entity."""

import pytest

from graphmem.memory import Memory
from graphmem.search.suggestions import is_nearly

MERGE = "`merge` merges two entities that are the same thing"


@pytest.fixture
def http(memory: Memory) -> Memory:
    """Two entities, and none whose name is nearly theirs."""
    memory.remember([{"name": "http2"}, {"name": "use ZSTD"}])
    return memory


def test_a_placeholder_that_may_be_a_slip_is_told(http: Memory) -> None:
    link = {"from": "Use zstd.", "relation": "NEEDS", "to": "htpp2"}
    report = http.remember(relations=[link], stubs=True)

    assert report.notes == (
        f"'Use zstd.' is a new placeholder and called nearly like 'use ZSTD'; {MERGE}",
        f"'htpp2' is a new placeholder and called nearly like 'http2'; {MERGE}",
    )
    assert http.remember(relations=[link], stubs=True).notes == ()


def test_entities_that_are_given_are_not_compared(http: Memory) -> None:
    assert http.remember([{"name": "htpp2"}, {"name": "Use-ZSTD!"}]).notes == ()


def test_another_placeholder_is_no_slip(http: Memory) -> None:
    links = [{"from": "http3", "relation": "NEEDS", "to": "Use brotli"}]
    assert http.remember(relations=links, stubs=True).notes == ()


@pytest.mark.parametrize(
    ("name", "other", "expected"),
    [
        ("htpp2", "http2", True),
        ("Redis Cahce", "redis cache", True),
        ("Redis cahe s", "Redis caches", True),
        ("http2", "http3", False),
        ("ADR-12", "ADR-13", False),
        ("cat", "cart", False),
        ("a", "b", False),
        ("Session store", "Session cache", False),
    ],
)
def test_names_are_nearly_the_same_by_a_letter_or_two(
    name: str, other: str, *, expected: bool
) -> None:
    assert is_nearly(name, other) is expected
