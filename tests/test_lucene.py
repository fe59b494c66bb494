"""The query builder: every string has a reading, and none breaks the text indexes."""

from collections.abc import Iterator

import neo4j
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphmem import lucene, text
from graphmem.graph import Graph
from graphmem.settings import Settings

ANY_GROUP = [[text.token("project", "example.org/none")]]
SYNTAX = st.sampled_from(
    ["AND", "OR", "NOT", "TO", '"', "(", ")", "[", "]", "{", "}", "*", "?", "~", "^2", ":", "\\",
     "+", "-", "&&", "||", "!", "/", "<", ">", "=", " ", "a", "ж", "🦀", "\0", "\ud800"]
)  # fmt: skip
STRINGS = st.one_of(st.text(max_size=60), st.lists(SYNTAX, max_size=12).map(" ".join))
ALL_INDEXES = """
UNWIND ['graphmem_passage_english', 'graphmem_passage_russian', 'graphmem_passage_exact'] AS index
UNWIND $queries AS query
CALL (index, query) {
  CALL db.index.fulltext.queryNodes(index, query, {limit: 1}) YIELD node
  RETURN count(*) AS found
}
RETURN count(*) AS asked
"""


def test_words_are_kept_in_order_and_each_once() -> None:
    tree = lucene.parse("redis why redis cache")
    assert [word.written for word in tree.nodes] == ["redis", "why", "cache"]


def test_at_most_64_words_are_kept_and_the_rest_counted() -> None:
    tree = lucene.parse(" ".join(f"w{i}" for i in range(5_000)))
    assert (len(tree.nodes), tree.cut) == (64, 4_936)


@pytest.mark.parametrize("query", ["", " ", "!!! ...", '"*+-^', "\0", "---"])
def test_a_query_without_words_writes_nothing(query: str) -> None:
    assert lucene.write(lucene.parse(query), required=ANY_GROUP) is None


@pytest.mark.parametrize("word", ["C++", "a/b", "foo:", "star*", "(x)", "wh?t", "~a", "a^2", '"q'])
def test_syntax_is_written_as_letters(word: str) -> None:
    written = lucene.escaped(word)
    assert written.replace("\\", "") == word
    assert written != word


@pytest.mark.parametrize("operator", ["AND", "OR", "NOT", "TO"])
def test_operators_are_written_as_words(operator: str) -> None:
    assert lucene.escaped(operator) == operator.lower()


def test_every_query_requires_its_filters_without_boost() -> None:
    written = lucene.write(lucene.parse("redis"), required=[["a0", "b0"], ["c0"]])
    assert written is not None
    assert written.startswith("+filters:(a0 b0)^0 +filters:(c0)^0 +(")


def test_the_number_of_clauses_is_bounded() -> None:
    words = " ".join(f"someIdentifier{i}WithManyParts_and_more" for i in range(500))
    written = lucene.write(lucene.parse(words), required=ANY_GROUP)
    assert written is not None
    assert len(written.split()) < 1_000


def test_names_are_looked_up_by_their_digests() -> None:
    written = lucene.handles(text.grams("the redis cache"), required=ANY_GROUP)
    assert written is not None
    assert text.token("name", "redis cache") in written


@settings(max_examples=10_000)
@given(query=st.text())
def test_any_text_has_a_reading(query: str) -> None:
    lucene.write(lucene.parse(query), required=ANY_GROUP)
    lucene.handles(text.grams(query), required=ANY_GROUP)


@settings(max_examples=100)
@given(queries=st.lists(STRINGS, min_size=100, max_size=100))
def test_the_server_takes_whatever_is_written_for_10_000_strings(
    session: neo4j.Session, queries: list[str]
) -> None:
    written = [lucene.write(lucene.parse(one), required=ANY_GROUP) for one in queries]
    kept = [one for one in written if one is not None]
    record = session.run(ALL_INDEXES, {"queries": kept}).single(strict=True)
    assert record["asked"] == 3 * len(kept)


@pytest.fixture(scope="module")
def session(config: Settings, graph: Graph) -> Iterator[neo4j.Session]:
    target = graph._target
    auth = (target.username, target.password or "")
    with (
        neo4j.GraphDatabase.driver(target.uri, auth=auth) as driver,
        driver.session(database=target.database) as session,
    ):
        assert config.home
        yield session
