"""What a word counts in its projects, beside the rest of the store."""

import math
import re
import threading
from collections.abc import Callable

import neo4j
import pytest

from concurrent_calls import at_once
from graphmem import lucene, read, text
from graphmem.graph import Graph
from graphmem.memory import Memory
from graphmem.model.language import Language
from graphmem.search.passage_samples import SIZE, PassageSamples
from graphmem.search.word_weights import (
    LEAST_PASSAGES,
    LEAST_WEIGHT,
    NO_WEIGHTS,
    PRIOR_PASSAGES,
    WordCounts,
    WordWeights,
    estimated_passages,
)

ENGLISH = [lucene.ENGLISH]


def counts(*texts: str, names: str = "") -> WordCounts:
    return WordCounts([{"names": names, "text": text, "words": None} for text in texts])


@pytest.mark.parametrize(
    ("word", "languages", "count"),
    [
        ("query", ENGLISH, 3),
        ("QUERIES", ENGLISH, 3),
        ("query", [], 1),
        ("quay", ENGLISH, 1),
        ("queue", ENGLISH, 0),
        ("use", ENGLISH, 2),
        ("flies", ENGLISH, 1),
    ],
)
def test_passages_with_any_form_of_a_word_are_counted(
    word: str, languages: list[Language], count: int
) -> None:
    sample = counts(
        "a query, a Query", "two queries", "queried at the quay", "using", "used to fly"
    )
    assert sample.count(word, "text", languages) == count
    assert sample.count(word, "names", languages) == 0


def test_a_word_counts_by_field() -> None:
    sample = counts("the pier", names="Otter")
    assert sample.count("otter", "names", ENGLISH) == 1
    assert sample.count("pier", "names", ENGLISH) == 0


def test_a_word_that_its_project_repeats_counts_less_and_a_rare_one_the_same() -> None:
    usual = ["Otter says ahoy"] * 90 + ["quay"] * (LEAST_PASSAGES - 1)
    weights = WordWeights(counts(*usual), counts(*["harbour"] * 200), 0.05)
    share = 90.5 / (len(usual) + PRIOR_PASSAGES + 1)
    expected = math.log(share) / math.log(0.05 * share)
    assert weights.weight("otter", "text", ENGLISH) == pytest.approx(expected)
    assert weights.weight("quay", "text", ENGLISH) == 1
    assert weights.weight("otter", "names", ENGLISH) == 1


def test_a_word_that_all_projects_repeat_counts_as_much_as_in_the_store() -> None:
    weights = WordWeights(counts(*["ahoy"] * 50, *["pier"] * 50), counts(*["ahoy"] * 200), 0.1)
    assert weights.weight("ahoy", "text", ENGLISH) == 1


def test_a_word_of_every_passage_still_counts() -> None:
    weights = WordWeights(counts(*["ahoy"] * 100_000), counts("pier"), 1e-9)
    assert weights.weight("ahoy", "text", ENGLISH) == LEAST_WEIGHT


def test_without_a_sample_all_words_count_the_same() -> None:
    assert NO_WEIGHTS.weight("ahoy", "text", ENGLISH) == 1


@pytest.mark.parametrize("passages", [1, 50, 5_000, 100_000])
def test_the_number_of_passages_is_estimated_from_their_smallest_digests(passages: int) -> None:
    digests = sorted(text.digest(passages, number) for number in range(passages))[:SIZE]
    estimate = estimated_passages(digests, SIZE)
    assert estimate == pytest.approx(passages, rel=0.4 if passages > SIZE else 0)


def test_a_passage_that_was_deleted_meanwhile_does_not_make_the_others_all_there_are() -> None:
    digests = [text.digest(str(number)) for number in range(5000)]
    sample = sorted(digests)[: SIZE - 1]
    assert estimated_passages([*sample, None], SIZE) == pytest.approx(5000, rel=0.3)
    assert estimated_passages([None] * SIZE, SIZE) == 0


def test_digests_that_somebody_wrote_by_hand_are_counted() -> None:
    assert estimated_passages(["by hand"] * SIZE, SIZE) == SIZE


def test_weights_become_boosts_of_words_pairs_and_names() -> None:
    def weigh(word: str, field: str) -> float:
        return 0.5 if word == "otter" and field == "text" else 1.0

    tree = lucene.AnyOf((lucene.Word("otter"), lucene.Word("pier")))
    written = lucene.write(tree, required=[], weigh=weigh)
    boosts = dict(re.findall(r"\((\w+:\w+)\)\^([\d.]+)", written))
    assert boosts["text:otter"] == "0.5"
    assert boosts["names:otter"] == boosts["text:pier"] == "1"
    pair = lucene.proximity_boost(["otter", "pier"], weigh)
    assert pair == 'names:"otter pier"~1^0.5 text:"otter pier"~1^0.375'
    assert lucene.fuzzy_names(["harbour"], ENGLISH, lambda *_: 0.5) == "names:harbour~1^0.15"


@pytest.mark.parametrize(
    ("query", "quotations"),
    [
        ("pier closed", []),
        ("is at the pier", []),
        ("at pier closed", ["at pier closed"]),
        ("berth of   the pier", ["berth of the pier"]),
        ('say "berth \\ pier"', ['say \\"berth \\\\ pier\\"', "berth \\\\ pier"]),
        (
            "ERROR 7 [main] harbour.Closed: no such berth 9 (attempt 3)\n  open berth nine",
            ["ERROR 7 [main] harbour.Closed: no such berth 9 (attempt 3)", "no such berth 9",
             "open berth nine"],
        ),
        ("why is it 'the pier closed' there?", ["why is it 'the pier closed' there?",
                                                "the pier closed"]),
        ("don't close otter's pier", ["don't close otter's pier"]),
        ("berth " * 41, []),
        ("张伟在吗，服务器在吗", []),
    ],
)  # fmt: skip
def test_lines_and_what_stands_between_their_marks_are_looked_for_word_for_word(
    query: str, quotations: list[str]
) -> None:
    written = lucene.quotation_boost(query, ENGLISH)

    assert written == " ".join(f'text:"{quotation}"^2' for quotation in quotations)


def test_of_a_long_paste_the_first_lines_are_looked_for() -> None:
    written = lucene.quotation_boost("\n".join(f"open berth {n}" for n in range(99)), ENGLISH)
    assert written.count("text:") == 20
    one_line = ", ".join(f"open berth {n}" for n in range(99))
    assert lucene.quotation_boost(one_line, ENGLISH).count("text:") == 30


@pytest.mark.live
def test_a_name_that_all_passages_of_a_project_have_counts_less_beside_other_projects(
    memory_of: Callable[[str], Memory], project: str, graph: Graph
) -> None:
    memory, other = memory_of(project), memory_of(f"{project}-other")
    other.remember([{"name": f"Boat {i}", "text": f"berth number {i}"} for i in range(2 * SIZE)])
    memory.remember(
        [{"name": f"Turn {i}", "text": f"Caroline said the word{i}"} for i in range(20)]
    )
    weights = PassageSamples(graph).of((project,), 0).word_weights
    assert weights.weight("Caroline", "text", ENGLISH) < 0.5
    assert weights.weight("word7", "text", ENGLISH) == 1

    def score(query: str) -> float:
        explanation = memory.search(query, mode="keyword", explain=True).hits[0].explanation
        assert explanation is not None
        assert set(explanation.word_weights) == {query} - {"word7"}
        return explanation.legs[0].raw

    assert score("Caroline") < 0.5 * score("word7")
    because = memory.search("what did Caroline say of the otter", explain=True).hits[0].explanation
    assert because is not None
    assert set(because.word_weights) == {"Caroline"}  # what is not asked for counts nothing at all


@pytest.mark.live
def test_a_project_that_holds_most_of_the_store_is_searched_by_its_frequencies(
    graph: Graph, memory: Memory
) -> None:
    memory.remember([{"name": "Otter", "text": "lives under the pier"}])
    projects = list(read.projects(graph))
    assert PassageSamples(graph).of(projects, 0).word_weights is NO_WEIGHTS


@pytest.mark.live
def test_passages_that_are_deleted_while_the_sample_is_read_do_no_harm(
    graph: Graph, memory_of: Callable[[str], Memory], session: neo4j.Session, project: str
) -> None:
    others = [{"name": f"Boat {i}", "text": f"berth number {i}"} for i in range(SIZE)]
    memory_of(f"{project}-other").remember(others)  # without them no texts are read
    written = (
        "UNWIND range(100, 199) AS number "
        "CREATE (:Passage {project: $project, digest: 'fffffffff' + number, text: 'gone'})"
    )
    deleted = "MATCH (passage:Passage {project: $project}) DETACH DELETE passage"
    all_read = threading.Event()
    samples = PassageSamples(graph)

    def read() -> None:
        try:
            for _ in range(200):
                samples.forget()
                weights = samples.of((project,), 0).word_weights
                assert 0 < weights.weight("gone", "text", ENGLISH) <= 1
        finally:
            all_read.set()

    def write_and_delete() -> None:
        while not all_read.is_set():
            session.run(written, project=project).consume()
            session.run(deleted, project=project).consume()

    at_once(read, write_and_delete)
