"""`GRAPHMEM_RERANKER`: the best thirty hits in the order of a cross-encoder, and pages of them.

The cross-encoder is a real one of sentence-transformers, tiny and with random weights: it prefers
whatever it prefers, always the same.
"""

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from fakes import FakeEmbedder
from graphmem.cli import explanations
from graphmem.cli.answers import write
from graphmem.cli.doctor import _reranker
from graphmem.cli.output import TextOutput
from graphmem.cli.progress import ProgressDisplay
from graphmem.embedding import Reranker, configured_reranker
from graphmem.errors import InvalidInput
from graphmem.graph import Graph
from graphmem.memory import Memory
from graphmem.model import Answer, Explanation, Passage
from graphmem.model.filters import Filters
from graphmem.search import Plan
from graphmem.search import cursor as cursors
from graphmem.search.reranking import DEPTH, reranked
from graphmem.search.response import CHANGED
from graphmem.settings import Settings
from memories import memory_with
from python_programs import run_python
from sample_hits import made_hit

FILTERS = Filters(projects=("p",))
BECAUSE = Explanation((), None, 0.5, "score = direct")
LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789"


@pytest.fixture(scope="session")
def cross_encoders(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Makes a folder of a tiny BERT of a class of transformers, with random weights."""
    import torch  # noqa: PLC0415 - for weight
    import transformers  # noqa: PLC0415 - likewise

    def made_model(kind: str = "BertForSequenceClassification", labels: int = 1) -> Path:
        folder = tmp_path_factory.mktemp(kind)
        vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *LETTERS]
        vocabulary += [f"##{letter}" for letter in LETTERS]
        (folder / "vocab.txt").write_text("\n".join(vocabulary))
        torch.manual_seed(7)
        config = transformers.BertConfig(
            vocab_size=len(vocabulary), hidden_size=16, num_hidden_layers=1,
            num_attention_heads=2, intermediate_size=16, max_position_embeddings=128,
            initializer_range=1.0,
        )  # fmt: skip
        config.num_labels = labels
        getattr(transformers, kind)(config).save_pretrained(folder)
        transformers.BertTokenizer(str(folder / "vocab.txt")).save_pretrained(folder)
        return folder

    return made_model


@pytest.fixture(scope="session")
def reranker(cross_encoders: Callable[..., Path]) -> Reranker:
    own = Reranker(str(cross_encoders()), hub=False, seconds=120)
    assert own.wait(120), own.reason
    return own


# The order and its pages


def answer_of(count: int, limit: int, after: int = 0) -> Answer:
    """The page of a search that finds so many hits, each with a lower score than the one before."""
    hits = tuple(
        made_hit(f"{i:03}", Passage(f"text {i}", None, None), score=1 - i / 1000, because=BECAUSE)
        for i in range(count)
    )
    end = after + limit
    cursor = f"after {end}" if end < count else None
    return Answer(
        query="q", project="p", mode="hybrid", total=count, degraded=None, cursor=cursor,
        took_ms={"total": 1.0}, hits=hits[after:end],
    )  # fmt: skip


def backwards(_: str, texts: Sequence[str]) -> tuple[list[float] | None, str | None]:
    """A reranker that prefers what was worst."""
    return [float(place) for place in range(len(texts))], None


def broken(_: str, __: Sequence[str]) -> tuple[list[float] | None, str | None]:
    return None, "the reranker x is still loading"


def page(count: int, limit: int, cursor: str | None = None, **others: object) -> Answer:
    def run(plan: Plan, cursor: str | None) -> Answer:
        return answer_of(count, plan.limit, int(cursor.split()[1]) if cursor else 0)

    score = others.pop("score", backwards)
    plan = Plan(limit=limit, **others)  # type: ignore[arg-type]
    return reranked("q", FILTERS, plan, cursor, run=run, score=score)  # type: ignore[arg-type]


def pages(count: int, *limits: int) -> list[str]:
    """The names on pages of these limits, the last limit as often as there are pages."""
    found: list[str] = []
    cursor: str | None = None
    for number in range(count + 2):
        answer = page(count, limits[min(number, len(limits) - 1)], cursor)
        assert answer.notes == ()
        found += [hit.name for hit in answer.hits]
        cursor = answer.cursor
        if cursor is None:
            return found
    raise AssertionError("the pages have no end")


@pytest.mark.parametrize("count", [0, 1, 7, 29, 30, 31, 64])
@pytest.mark.parametrize("limits", [(1,), (7,), (10,), (30,), (31,), (50,), (10, 50), (40, 3)])
def test_pages_give_the_best_thirty_in_their_new_order_and_then_the_rest(
    count: int, limits: tuple[int, ...]
) -> None:
    best = [f"{place:03}" for place in range(min(count, DEPTH))]
    rest = [f"{place:03}" for place in range(DEPTH, count)]
    assert pages(count, *limits) == [*reversed(best), *rest]


def test_scores_stay_and_the_explanation_has_the_rerankers() -> None:
    answer = page(3, 10)
    assert [(hit.name, hit.score) for hit in answer.hits] == [
        ("002", 0.998), ("001", 0.999), ("000", 1.0),
    ]  # fmt: skip
    assert [hit.explanation and hit.explanation.reranked for hit in answer.hits] == [2.0, 1.0, 0.0]
    assert answer.hits[0].explanation is not None
    assert answer.hits[0].explanation.to_json()["reranked"] == 2.0
    assert "reranked" not in BECAUSE.to_json()
    assert answer.took_ms.keys() == {"total", "rerank"}


def test_ties_keep_the_order_of_the_scores() -> None:
    even = page(5, 5, score=lambda _, texts: ([1.0] * len(texts), None))
    assert [hit.name for hit in even.hits] == ["000", "001", "002", "003", "004"]


@pytest.mark.parametrize("sort", ["date", "name"])
def test_another_order_stays_as_it_is(sort: str) -> None:
    assert page(3, 10, sort=sort).hits == answer_of(3, 10).hits


def test_without_the_reranker_the_hits_stay_and_the_answer_says_so() -> None:
    answer = page(40, 10, score=broken)
    assert answer.hits == answer_of(40, 10).hits
    assert answer.degraded == (
        "the reranker x is still loading; the hits are in the order of their scores"
    )


def test_a_page_whose_order_has_changed_says_so() -> None:
    first = page(40, 10, score=broken)
    second = page(40, 10, first.cursor)
    assert second.notes == (CHANGED,)


def test_the_cursor_of_another_search_is_refused() -> None:
    first = page(40, 10)
    with pytest.raises(InvalidInput, match="an answer to the same search"):
        page(40, 10, first.cursor, mode="keyword")


@pytest.mark.parametrize("offset", [0, -1])
def test_a_made_up_cursor_of_no_page_is_refused(offset: int) -> None:
    position = cursors.RerankPosition(offset, "000")
    cursor = cursors.encode_rerank("q", FILTERS, Plan(limit=10), position)
    with pytest.raises(InvalidInput, match="an answer to the same search"):
        page(0, 10, cursor)


def test_names_alone_are_reranked_by_their_passages_and_shown_without() -> None:
    seen: list[str] = []

    def score(_: str, texts: Sequence[str]) -> tuple[list[float] | None, str | None]:
        seen.extend(texts)
        return backwards("", texts)

    answer = page(2, 10, passages=0, score=score)
    assert seen == ["000\ntext 0", "001\ntext 1"]
    assert [hit.passages for hit in answer.hits] == [(), ()]


def test_the_terminal_shows_the_score_of_the_reranker(capsys: pytest.CaptureFixture[str]) -> None:
    paper = TextOutput()
    write(page(2, 10), paper)
    assert "text 1.00 · reranked 1.00" in capsys.readouterr().out
    explanations.write(page(2, 10).hits[0], paper, indent=0)
    assert "1.0000: the reranker's score, which decides the order" in capsys.readouterr().out


# The model


def test_no_reranker_is_made_unless_the_setting_names_one() -> None:
    assert configured_reranker(Settings(), waits=True) is None
    named = configured_reranker(Settings(reranker="a/b"), waits=False)
    assert named is not None
    assert (named.name, named.reason) == ("a/b", "the reranker a/b is still loading")


@pytest.mark.live
def test_a_cross_encoder_scores_texts_the_same_each_time(reranker: Reranker) -> None:
    texts = ["sessions are kept in redis", "the tide feed", "", "x " * 5000]
    scores, reason = reranker.scores("redis", texts)
    assert reason is None
    assert scores is not None
    assert len(set(scores)) == 4
    assert reranker.scores("redis", texts) == (scores, None)
    assert reranker.scores("redis", []) == ([], None)


@pytest.mark.live
@pytest.mark.parametrize(
    ("kind", "labels", "reason"),
    [
        ("BertModel", 1, "it is a BertModel, not a cross-encoder"),
        ("BertForSequenceClassification", 3, "it gives 3 numbers for a text, not one score"),
    ],
)
def test_a_model_of_another_kind_is_refused(
    cross_encoders: Callable[..., Path], kind: str, labels: int, reason: str
) -> None:
    other = Reranker(str(cross_encoders(kind, labels)), hub=False, seconds=120)
    scores, why = other.scores("redis", ["text"])
    assert scores is None
    assert reason in (why or "")
    assert "set GRAPHMEM_RERANKER to the name of a cross-encoder" in (why or "")


def test_a_folder_that_is_not_there_is_a_sentence_with_the_next_step(tmp_path: Path) -> None:
    gone = Reranker(str(tmp_path / "gone"), seconds=120)
    assert gone.scores("redis", ["text"]) == (None, gone.reason)
    assert not gone.wait()
    assert "gone is not a folder" in (gone.reason or "")
    assert "or leave it empty" in (gone.reason or "")


def test_a_model_that_may_not_be_downloaded_is_a_sentence() -> None:
    remote = Reranker("cross-encoder/not-on-this-machine", hub=False, seconds=120)
    assert not remote.wait(120)
    assert "GRAPHMEM_HUB=false forbids downloads" in (remote.reason or "")


def test_a_call_that_does_not_wait_goes_on_while_it_loads() -> None:
    class Slow(Reranker):
        def start(self) -> None:
            """Never begin."""

    slow = Slow("a/b")
    assert slow.scores("redis", ["text"]) == (None, "the reranker a/b is still loading")


def test_doctor_names_a_reranker_that_cannot_be_loaded(tmp_path: Path) -> None:
    config = Settings(reranker=str(tmp_path), hub=False)
    with ProgressDisplay() as progress:
        check = _reranker(config, progress)
    assert not check.ok
    assert "holds no modules.json or config.json" in check.message


# In a store


@pytest.mark.live
def test_a_search_is_in_the_order_of_the_reranker(
    graph: Graph, project: str, reranker: Reranker
) -> None:
    plain = memory_with(FakeEmbedder(), graph, project)
    own = Memory(graph, plain.model, project, reranker=reranker)
    plain.remember(
        {"name": f"Berth {i}", "text": f"Berth {i} {'by the wall ' * (i % 7)}"} for i in range(40)
    )
    before = plain.search("berth wall", limit=50, explain=True)
    texts = [f"{hit.name}\n{hit.passages[0].text}" for hit in before.hits[:DEPTH]]
    scores, _ = reranker.scores("berth wall", texts)
    assert scores is not None
    order = sorted(range(DEPTH), key=lambda place: (-scores[place], place))
    expected = [before.hits[place].name for place in order]
    expected += [hit.name for hit in before.hits[DEPTH:]]
    whole = own.search("berth wall", limit=50, explain=True)
    assert [hit.name for hit in whole.hits] == expected
    assert expected != [hit.name for hit in before.hits]
    assert {hit.name: hit.score for hit in whole.hits} == {
        hit.name: hit.score for hit in before.hits
    }
    found, cursor = [], None
    while True:
        answer = own.search("berth wall", limit=8, cursor=cursor)
        found += [hit.name for hit in answer.hits]
        assert (answer.notes, answer.degraded) == ((), None)
        cursor = answer.cursor
        if cursor is None:
            break
    assert found == expected
    broken = Memory(graph, plain.model, project, reranker=Reranker("./gone", seconds=60))
    without = broken.search("berth wall", limit=50)
    assert [hit.name for hit in without.hits] == [hit.name for hit in before.hits]
    assert "the reranker ./gone cannot be loaded" in (without.degraded or "")


@pytest.mark.live
def test_a_command_that_used_torch_ends_without_complaints(
    cross_encoders: Callable[..., Path],
) -> None:
    program = (
        "import sys\n"
        "from graphmem import cli\n"
        "from graphmem.embedding import Reranker\n"
        "scores, reason = Reranker(sys.argv.pop(), seconds=300).scores('a', ['b'])\n"
        "assert scores, reason\n"
        "sys.exit(cli.main())\n"
    )
    ended = run_python(program, "--version", str(cross_encoders()), check=True)
    assert "leaked" not in ended.stderr
