"""Batches are cut by bytes and by number, keep the order and lose nothing."""

from collections.abc import Iterator

from hypothesis import given
from hypothesis import strategies as st

from graphmem.batches import batches, size


def cut(sizes: list[int], *, most: int, most_bytes: int) -> list[list[int]]:
    return list(batches(sizes, lambda one: one, most=most, most_bytes=most_bytes))


def test_a_batch_is_full_by_number_or_by_bytes() -> None:
    assert cut([1, 1, 1, 1], most=3, most_bytes=10) == [[1, 1, 1], [1]]
    assert cut([6, 4, 1], most=3, most_bytes=10) == [[6, 4], [1]]


def test_an_item_larger_than_a_batch_is_a_batch_alone() -> None:
    assert cut([1, 99, 1], most=3, most_bytes=10) == [[1], [99], [1]]


def test_without_sizes_the_number_alone_fills_a_batch() -> None:
    assert list(batches("abcde", most=2)) == [["a", "b"], ["c", "d"], ["e"]]


def test_an_empty_input_makes_no_batch() -> None:
    assert cut([], most=3, most_bytes=10) == []


@given(st.lists(st.integers(0, 20)), st.integers(1, 5), st.integers(1, 30))
def test_every_item_is_in_one_batch_in_its_order(
    sizes: list[int], most: int, most_bytes: int
) -> None:
    made = cut(sizes, most=most, most_bytes=most_bytes)

    assert [one for batch in made for one in batch] == sizes
    assert all(len(batch) <= most for batch in made)
    assert all(len(batch) == 1 or sum(batch) <= most_bytes for batch in made)


def test_a_batch_that_is_full_by_number_waits_for_no_further_item() -> None:
    taken: list[int] = []

    def items() -> Iterator[int]:
        for number in range(10):
            taken.append(number)
            yield number

    next(batches(items(), lambda _: 1, most=3, most_bytes=100))

    assert taken == [0, 1, 2]


def test_a_text_counts_its_bytes_wherever_it_stands() -> None:
    assert size("five5") == 5
    assert size("Привет") == 12
    assert size({"k": ["ab", {"c": "défg"}]}) == 1 + 2 + 1 + 5
    assert size([1, None, True]) == 3 * 16
    assert size([0.5] * 384) == 384 * 16
