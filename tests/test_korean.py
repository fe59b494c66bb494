"""Korean words are found with any particle, in texts and in names."""

import pytest

from graphmem.lucene.korean import without_particle
from graphmem.memory import Memory


@pytest.mark.parametrize(
    ("word", "noun"),
    [
        ("서버를", "서버"), ("서버는", "서버"), ("서버로", "서버"), ("서버에서", "서버"),
        ("서버에서는", "서버"), ("보고서의", "보고서"), ("시스템을", "시스템"),
        ("시스템으로", "시스템"), ("시스템이", "시스템"), ("서울로", "서울"), ("철수와", "철수"),
        ("관리하는", "관리"),
        ("서버", "서버"), ("전문가", "전문가"), ("서버은", "서버은"), ("책을", "책을"),
        ("데이터", "데이터"), ("倉庫", "倉庫"), ("GPU", "GPU"), ("", ""),
    ],
)  # fmt: skip
def test_a_particle_is_cut_off_where_it_may_follow(word: str, noun: str) -> None:
    assert without_particle(word) == noun


@pytest.fixture
def filled(memory: Memory) -> Memory:
    memory.remember(
        [
            {"name": "김철수", "text": "밤에 전화를 받는다."},
            {"name": "결제 서버", "text": "카드로 낸 돈을 처리한다."},
            {"name": "Office", "text": "창고에 보고서를 보낸다."},
        ]
    )
    return memory


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("보고서는 어디에 있나", "Office"), ("창고의", "Office"), ("창고는 AND 보고서가", "Office"),
        ("김철수는", "김철수"), ("김철수가 누구야", "김철수"), ("결제 서버를", "결제 서버"),
    ],
)  # fmt: skip
def test_a_word_is_found_with_another_particle(filled: Memory, query: str, name: str) -> None:
    hits = filled.search(query, mode="keyword", expand=False).hits
    assert [hit.name for hit in hits] == [name]


@pytest.mark.parametrize("query", ["김철수가 누구야", "결제 서버를 누가 관리해", "결제 서버에서는"])
def test_a_name_with_a_particle_is_a_name(filled: Memory, query: str) -> None:
    best = filled.search(query, mode="keyword", expand=False, explain=True).hits[0]
    assert best.explanation is not None
    assert "name" in {leg.leg for leg in best.explanation.legs}
