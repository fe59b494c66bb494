"""What an ordinary cosine of a query is, measured on a sample of the passages that are searched."""

import math
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest

from fakes import vector
from graphmem.embedding import Calibration, CosineDistribution
from graphmem.embedding.cosines import PRIOR_PASSAGES, cosine_distribution, unit_rows
from graphmem.errors import DatabaseMemory, DatabaseTimeout, DatabaseUnavailable
from graphmem.graph import Graph
from graphmem.memory import Memory
from graphmem.model.filters import Filters
from graphmem.search import Plan, SearchRequest, Weights
from graphmem.search import passage_samples as samples
from graphmem.search.plan import LEAST_SPREAD
from neo4j_servers import until

USUAL = Calibration(0.06, 0.12, 0.45, 0.35, 0.65)
SCOPE = ("example.org/a", "@user")


class Rows:
    """A graph that gives these rows, or raises, and counts how often it was asked."""

    def __init__(self, *embeddings: list[float], error: Exception | None = None) -> None:
        self.embeddings = embeddings
        self.error = error
        self.asked: list[str] = []

    def read(self, name: str, **_: object) -> list[dict[str, Any]]:
        self.asked.append(name)
        if self.error is not None:
            raise self.error
        return [
            {"of_projects": True, "digest": f"{number:024x}", "embedding": embedding, "texts": None}
            for number, embedding in enumerate(self.embeddings)
        ]


def test_mean_and_deviation_are_those_of_the_sample_and_of_what_is_usual() -> None:
    sample = unit_rows([[2.0, 0.0], [0.0, 0.5], [1.0, 1.0]])
    cosines = [1.0, 0.0, math.sqrt(0.5)]
    weight = len(cosines) + PRIOR_PASSAGES
    mean = (sum(cosines) + PRIOR_PASSAGES * USUAL.mean) / weight
    square = (
        sum(cosine**2 for cosine in cosines) + PRIOR_PASSAGES * (USUAL.mean**2 + USUAL.deviation**2)
    ) / weight

    measured = cosine_distribution([3.0, 0.0], sample, USUAL)

    assert measured.mean == pytest.approx(mean)
    assert measured.deviation == pytest.approx(math.sqrt(square - mean**2))


@pytest.mark.parametrize("embeddings", [[], [[1.0, 0.0, 0.0]]])
def test_without_comparable_passages_the_calibration_is_used(
    embeddings: list[list[float]],
) -> None:
    assert cosine_distribution(
        [1.0, 0.0], unit_rows(embeddings), USUAL
    ) == CosineDistribution.usual(USUAL)


def test_rows_of_another_length_are_left_out_and_zeros_stay() -> None:
    rows = unit_rows([[3.0, 4.0], [1.0], [0.0, 0.0]])
    assert rows.tolist() == [[0.6, 0.8], [0.0, 0.0]]


def test_a_sample_is_read_once_for_a_scope_and_a_set_of_embeddings() -> None:
    graph = Rows([1.0, 0.0])
    kept = samples.PassageSamples(graph)  # type: ignore[arg-type]
    first = kept.of(SCOPE, 0)
    assert kept.of(list(SCOPE), 0) is first
    kept.of(SCOPE, 1)
    kept.of(SCOPE[:1], 0)
    assert graph.asked == ["read/passage_sample", "read/passage_sample@2", "read/passage_sample"]
    kept.forget()
    kept.of(SCOPE, 0)
    assert len(graph.asked) == 4


class Slow(Rows):
    """Rows that come when they are let through."""

    def __init__(self, *embeddings: list[float]) -> None:
        super().__init__(*embeddings)
        self.begun, self.through = threading.Event(), threading.Event()

    def read(self, name: str, **parameters: object) -> list[dict[str, Any]]:
        self.begun.set()
        assert self.through.wait()
        return super().read(name, **parameters)


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have searches wait for the sample that another one reads, however busy the machine is."""
    monkeypatch.setattr(samples, "PATIENCE_SECONDS", 600.0)


def waiting_for(kept: samples.PassageSamples) -> int:
    """How many searches wait for the sample that another one reads."""
    coming: list[Any] = [reading.future for reading in kept._readings.values()]
    return sum(len(future._condition._waiters) for future in coming)


@pytest.mark.usefixtures("patient")
def test_searches_that_need_a_sample_at_the_same_time_read_it_once() -> None:
    graph = Slow([1.0, 0.0])
    kept = samples.PassageSamples(graph)  # type: ignore[arg-type]
    with ThreadPoolExecutor(8) as pool:
        found = [pool.submit(kept.of, SCOPE, 0) for _ in range(8)]
        assert graph.begun.wait()
        graph.through.set()
        assert {id(future.result()) for future in found} == {id(kept.of(SCOPE, 0))}
    assert len(graph.asked) == 1


@pytest.mark.usefixtures("patient")
def test_searches_that_wait_take_a_sample_from_before_a_write_that_came_after_them() -> None:
    graph = Slow([1.0, 0.0])
    kept = samples.PassageSamples(graph)  # type: ignore[arg-type]
    with ThreadPoolExecutor(8) as pool:
        before = [pool.submit(kept.of, SCOPE, 0)]
        assert graph.begun.wait()
        before += [pool.submit(kept.of, SCOPE, 0) for _ in range(5)]
        until(lambda: waiting_for(kept) == 5)
        graph.begun.clear()
        kept.forget()
        after = [pool.submit(kept.of, SCOPE, 0) for _ in range(2)]
        assert graph.begun.wait()  # what was written is to be seen by those that come now
        graph.through.set()
        first, second = ({id(future.result()) for future in some} for some in (before, after))
    assert len(first) == len(second) == 1
    assert not first & second
    assert len(graph.asked) == 2
    assert kept._readings == {}


@pytest.mark.usefixtures("patient")
def test_a_search_that_waited_for_a_read_that_failed_reads_itself() -> None:
    graph = Slow([1.0, 0.0])
    kept = samples.PassageSamples(graph)  # type: ignore[arg-type]
    graph.error = DatabaseUnavailable("away")
    with ThreadPoolExecutor(2) as pool:
        failing = pool.submit(kept.of, SCOPE, 0)
        assert graph.begun.wait()
        waiting = pool.submit(kept.of, SCOPE, 0)
        until(lambda: waiting_for(kept) == 1)
        graph.through.set()
        for one in (failing, waiting):
            with pytest.raises(DatabaseUnavailable):
                one.result()
    assert graph.asked == ["read/passage_sample"] * 2


def test_a_sample_that_takes_long_to_read_holds_up_no_other_search(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(samples, "PATIENCE_SECONDS", 0.0)
    graph = Slow([1.0, 0.0])
    kept = samples.PassageSamples(graph)  # type: ignore[arg-type]
    with ThreadPoolExecutor(2) as pool:
        slow = pool.submit(kept.of, SCOPE, 0)
        assert graph.begun.wait()
        graph.begun.clear()
        other = pool.submit(kept.of, SCOPE, 0)
        assert graph.begun.wait()
        graph.through.set()
        assert len(slow.result().embeddings) == len(other.result().embeddings) == 1


def test_a_sample_from_before_a_write_is_not_kept() -> None:
    graph = Slow([1.0, 0.0])
    kept = samples.PassageSamples(graph)  # type: ignore[arg-type]
    with ThreadPoolExecutor(1) as pool:
        before = pool.submit(kept.of, SCOPE, 0)
        assert graph.begun.wait()
        kept.forget()
        graph.through.set()
        before.result()
    kept.of(SCOPE, 0)
    assert len(graph.asked) == 2


def test_a_sample_is_read_again_when_it_is_old(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = Rows([1.0, 0.0])
    kept = samples.PassageSamples(graph)  # type: ignore[arg-type]
    kept.of(SCOPE, 0)
    monkeypatch.setattr(samples, "MAX_AGE_SECONDS", 0.0)
    kept.of(SCOPE, 0)
    assert len(graph.asked) == 2


def test_as_many_scopes_as_there_are_take_no_more_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(samples, "MOST_SCOPES", 2)
    kept = samples.PassageSamples(Rows([1.0]))  # type: ignore[arg-type]
    for number in range(5):
        kept.of((f"p{number}",), 0)
        assert len(kept._samples) <= 2


@pytest.mark.parametrize("error", [DatabaseTimeout("slow"), DatabaseMemory("large")])
def test_a_store_that_cannot_give_a_sample_in_time_is_asked_once_and_searched(
    error: Exception,
) -> None:
    graph = Rows(error=error)
    kept = samples.PassageSamples(graph)  # type: ignore[arg-type]
    for _ in range(2):
        assert cosine_distribution(
            [1.0, 0.0], kept.of(SCOPE, 0).embeddings, USUAL
        ) == CosineDistribution.usual(USUAL)
    assert len(graph.asked) == 1


def test_a_database_that_is_away_is_no_empty_sample() -> None:
    kept = samples.PassageSamples(Rows(error=DatabaseUnavailable("away")))  # type: ignore[arg-type]
    with pytest.raises(DatabaseUnavailable):
        kept.of(SCOPE, 0)


def test_the_cosines_that_count_lie_above_the_background() -> None:
    weights = Weights().over(CosineDistribution(0.2, 0.1))
    assert (weights.cosine_low, weights.cosine_high) == pytest.approx((0.4, 0.9))
    chosen = Weights(cosine_low=0.95).over(CosineDistribution(0.2, 0.1))
    assert (chosen.cosine_low, chosen.cosine_high) == pytest.approx((0.95, 0.95 + LEAST_SPREAD))


@pytest.mark.parametrize(("terms", "saturation"), [(1, 35.0), (12, 35.0), (24, 140.0)])
def test_a_long_query_asks_for_more_words(terms: int, saturation: float) -> None:
    assert Weights().for_terms(terms).saturation == pytest.approx(saturation)


@pytest.mark.parametrize(
    ("plan", "low"),
    [
        (Plan(), 0.5),
        (Plan(mode="semantic"), 0.3),
        (Plan(ranking="rrf"), 0.3),
        (Plan(mode="semantic", weights=Weights(cosine_low=0.7)), 0.7),
    ],
)
def test_what_is_usually_near_counts_where_meaning_or_ranks_alone_decide(
    plan: Plan, low: float
) -> None:
    request = SearchRequest.parsed("berth", Filters(SCOPE), replace(plan, calibration=USUAL))
    above = replace(request, background=CosineDistribution(0.3, 0.1))
    assert above.weights.cosine_low == pytest.approx(low)


@pytest.mark.parametrize(
    ("query", "terms"), [("?!", 1), ("when did the quay open", 2), ("harbour pier berth", 3)]
)
def test_question_words_do_not_count_as_terms(query: str, terms: int) -> None:
    assert SearchRequest.parsed(query, Filters(SCOPE), Plan()).terms == terms


@pytest.mark.live
def test_the_sample_is_the_same_again_and_new_after_a_write(memory: Memory, graph: Graph) -> None:
    memory.remember([{"name": f"Boat {i}", "text": f"berth number {i}"} for i in range(120)])
    scope = (memory.project_name(),)
    first = memory._searches.samples.of(scope, 0).embeddings
    again = samples.PassageSamples(graph).of(scope, 0).embeddings
    assert first.shape == (samples.SIZE, len(vector("berth", 384)))
    assert (first == again).all()
    memory.remember([{"name": "Otter", "text": "lives under the pier"}])
    assert memory._searches.samples.of(scope, 0).embeddings is not first


@pytest.mark.live
def test_seeds_need_not_pass_filters_but_match_the_operators(
    memory_of: Callable[[str], Memory],
) -> None:
    memory = memory_of("example.org/tests/seeds")
    memory.remember(
        [
            {"name": "Rust", "kind": "Incident", "text": "the pier was closed, corrosion"},
            {"name": "Flood", "kind": "Incident", "text": "the pier was closed"},
            {"name": "Ada", "kind": "Person", "text": "welds"},
            {"name": "Ben", "kind": "Person", "text": "pumps"},
        ],
        [
            {"from": "Rust", "relation": "HANDLED_BY", "to": "Ada"},
            {"from": "Flood", "relation": "HANDLED_BY", "to": "Ben"},
        ],
    )

    def people(query: str, **options: Any) -> list[tuple[str, str]]:  # noqa: ANN401
        hits = memory.search(query, kinds=["Person"], mode="keyword", **options).hits
        return [(hit.name, hit.via[0].seed) for hit in hits]

    assert sorted(people("pier closed")) == [("Ada", "Rust"), ("Ben", "Flood")]
    assert people("pier AND corrosion") == [("Ada", "Rust")]
    assert people("pier NOT corrosion") == [("Ben", "Flood")]
    assert people("pier closed", follow={"seeds": "filtered"}) == []
    assert people("pier closed", ranking="rrf") == []
