"""Names inside questions without spaces are found as those between spaces are."""

import pytest

from graphmem.memory import Memory
from graphmem.search.inner_names import NAME_UNITS, QUERY_UNITS, inner_names

THINGS: list[dict[str, object]] = [
    {"name": "张伟", "aliases": ["小张"], "text": "夜里接电话。"},
    {"name": "支付网关", "text": "处理银行卡付款。"},
    {"name": "京都", "text": "古い町。"},
    {"name": "東京都", "text": "大きな町。"},
    {"name": "決済サーバー", "text": "カードを読む。"},
]


def test_a_part_of_a_word_may_be_a_name_and_counts_by_its_characters() -> None:
    assert inner_names("张伟在吗？") == {
        "张伟": 0.5, "张伟在": 0.75, "伟在": 0.5, "伟在吗": 0.75, "在吗": 0.5,
    }  # fmt: skip


def test_katakana_and_other_letters_are_not_cut() -> None:
    parts = inner_names("決済サーバーでGPU2を使う")
    assert {"決済サーバー", "サーバー", "gpu2"} <= parts.keys()
    assert not {"決済サーバ", "サー", "gpu", "でgpu2", "を使う"} & parts.keys()


@pytest.mark.parametrize("query", ["", "who is Redis?", "서버를 관리", "データベース", "Где Иван"])
def test_other_words_have_no_parts(query: str) -> None:
    assert inner_names(query) == {}


def test_a_long_query_has_not_too_many() -> None:
    query = "".join(chr(0x4E00 + number) for number in range(5_000))
    assert len(inner_names(query)) < QUERY_UNITS * NAME_UNITS


@pytest.fixture
def filled(memory: Memory) -> Memory:
    memory.remember(THINGS, [{"from": "张伟", "relation": "负责", "to": "支付网关"}])
    return memory


@pytest.mark.parametrize(
    ("query", "named"),
    [
        ("张伟负责什么？", ["张伟"]),
        ("小张在哪里", ["张伟"]),
        ("请问谁负责支付网关的运维", ["支付网关"]),
        ("決済サーバーはどこですか", ["決済サーバー"]),
        ("東京都の人口", ["東京都"]),
        ("京都の人口", ["京都"]),
        ("网关在哪里", []),
    ],
)
def test_a_name_inside_a_question_is_found(filled: Memory, query: str, named: list[str]) -> None:
    hits = filled.search(query, mode="keyword", expand=False, explain=True).hits
    by_name = [
        hit.name
        for hit in hits
        if hit.explanation is not None and any(leg.leg == "name" for leg in hit.explanation.legs)
    ]
    assert by_name == named


def test_a_link_leads_from_a_name_inside_a_question(filled: Memory) -> None:
    hits = filled.search("支付网关坏了找谁", mode="keyword").hits
    assert [hit.name for hit in hits[:2]] == ["支付网关", "张伟"]
    assert hits[1].via[0].seed == "支付网关"


def test_a_name_that_is_little_of_a_question_counts_less(filled: Memory) -> None:
    short = filled.search("张伟在哪里", mode="keyword", expand=False).hits[0]
    long = filled.search(f"张伟{'今天上午在很远的地方' * 3}吗", mode="keyword", expand=False).hits[
        0
    ]
    assert (short.name, long.name) == ("张伟", "张伟")
    assert long.score < short.score / 2
