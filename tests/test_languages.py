"""Searching in many languages, by setting and by default, and giving a store other languages.

The default languages are tested on the run's server, others on a server of this file's own.
"""

import logging
from collections.abc import Iterator
from functools import partial

import attrs
import neo4j
import pytest

from concurrent_calls import at_once
from fakes import FakeEmbedder
from graphmem import cli, schema, statements, text
from graphmem.cli import session as cli_session
from graphmem.errors import DatabaseError
from graphmem.graph import Graph
from graphmem.memory import Memory
from graphmem.memory.store.connecting import connect
from graphmem.memory.store.languages import StoreLanguages
from graphmem.memory.store.model import StoreModel
from graphmem.model.language import DEFAULT, NAMES, SCRIPTS, index_name
from graphmem.progress import SILENT
from graphmem.settings import Settings
from log_records import own_records
from neo4j_servers import fresh_home, small

pytestmark = pytest.mark.live

# What a store of one's own is asked in: twice Latin, once pairs of characters, once a dictionary.
MANY = ("cjk", "english", "german", "thai")
TEXTS = {
    "Warehouse": "新しい倉庫を建てる計画があります。",
    "Move": "我们的数据库迁移到了新的服务器上，因为旧的硬盘坏了。",
    "Outage": "管理倉庫のデータベースサーバーが停止した",
    "Korean": "데이터베이스를 새 서버로 옮겼다",
    "Thai": "เราย้ายฐานข้อมูลไปยังเซิร์ฟเวอร์ใหม่เมื่อวาน",
    "Training": "用GPU加速训练大模型",
    "Apart": "倉和庫的字",
    "Park": "天气很好我们去公园玩",
    "Wide": "ＸＹＺ 設計 in full width",
    "Tools": "C++ and C# and .NET node.js R go k8s CI pipeline",
    "Ukrainian": "Ми мігрували сховище на новий сервер",
    "Russian": "Мы перенесли базы данных на новые серверы",
    "Person": "человек года",
    "Hebrew": "מסד הנתונים הועבר לשרת",
    "Greek": "Η βάση δεδομένων μεταφέρθηκε",
    "Hindi": "डेटाबेस को नए सर्वर पर",
    "Arabic": "انتقلت قاعدة البيانات إلى الخادم",
    "Street": "Die Häuser in der Gasse sind alt",
    "War": "How the war ended in the alley",
    "Accents": "A résumé from the café",
}
ALWAYS = [
    ("倉庫", ["Outage", "Warehouse"]),
    ("庫", ["Apart", "Outage", "Warehouse"]),
    ("数据库", ["Move"]),
    ("数据库 迁移", ["Move"]),
    ("我们的数据库什么时候迁移到新服务器的？", ["Move", "Park"]),
    ("データベース", ["Outage"]),
    ("サーバー", ["Outage"]),
    ("データベースサーバーはいつ停止しましたか？", ["Outage"]),
    ("ﾃﾞｰﾀﾍﾞｰｽ", ["Outage"]),
    ("데이터베이스", ["Korean"]),
    ("새 서버는 어디에", ["Korean"]),
    ("gpu加速训练", ["Training"]),
    ("ＧＰＵ", ["Training"]),
    ("ฐานข้อมูล", ["Thai"]),
    ("倉庫 AND 建てる", ["Warehouse"]),
    ("数据库 AND 服务器", ["Move"]),
    ("倉庫 NOT 管理", ["Warehouse"]),
    ('"数据库迁移"', ["Move"]),
    ("数据* AND 硬盘", ["Move"]),
    ("サーバー AND 停止", ["Outage"]),
    ("데이터베이스 AND 서버", ["Korean"]),
    ("ย้าย AND เซิร์ฟเวอร์", ["Thai"]),
    ("GPU加速 AND 训练", ["Training"]),
    ("text:数据库", ["Move"]),
    ("C", ["Tools"]), ("R", ["Tools"]), ("go", ["Tools"]), ("k8s", ["Tools"]), ("CI", ["Tools"]),
    ("C++", ["Tools"]), (".NET", ["Tools"]), ("node.js", ["Tools"]), ("js", ["Tools"]),
    ("сховище", ["Ukrainian"]),
    ("הנתונים", ["Hebrew"]),
    ("βάση", ["Greek"]),
    ("सर्वर", ["Hindi"]),
    ("البيانات", ["Arabic"]),
    ("человек", ["Person"]),
]  # fmt: skip
BY_DEFAULT = [
    ("серверов", ["Russian", "Ukrainian"]),
    ("база данных", ["Russian"]),
    ("человек и", ["Person"]),
    ("базы AND данные", ["Russian"]),
]
BY_SETTING = [
    ("데이터베이스가", ["Korean"]),
    ("베이스", ["Korean"]),
    ("ฐานข้อมูลย้ายไปไหน", ["Thai"]),
    ("เซิร์ฟเวอร์ใหม่", ["Thai"]),
    ("xyz設計", ["Wide"]),
    ("Haus", ["Street"]),
    ("Gassen AND alt", ["Street"]),
    ("Häusern AND alt", ["Street"]),
    ("was ist das für eine Gasse", ["Street"]),
    ("when did the war end", ["War"]),
]


def filled(graph: Graph, project: str) -> Memory:
    """A memory of a project that holds the texts."""
    known = StoreLanguages(graph, schema.languages(graph))
    model = StoreModel(graph, FakeEmbedder(), wait_for_model=True, read_only=False)
    memory = Memory(graph, model, project, languages=known)
    memory.remember([{"name": name, "text": text} for name, text in TEXTS.items()])
    return memory


def hit_names(memory: Memory, query: str) -> list[str]:
    return sorted(hit.name for hit in memory.search(query, mode="keyword", expand=False).hits)


# The default languages


@pytest.fixture(scope="module")
def by_default(graph: Graph) -> Iterator[Memory]:
    memory = filled(graph, "example.org/languages/default")
    yield memory
    memory.model.close()


@pytest.mark.parametrize(("query", "names"), [*ALWAYS, *BY_DEFAULT])
def test_the_default_languages_find_their_forms_of_words(
    by_default: Memory, query: str, names: list[str]
) -> None:
    assert hit_names(by_default, query) == names


@pytest.mark.parametrize("query", ["iv fiddle", "Fiddle", "Ⅳ ﬁddle…", "IV FIDDLE..."])
def test_a_name_is_shown_as_it_is_written_and_found_in_usual_letters(
    by_default: Memory, query: str
) -> None:
    by_default.remember([{"name": "Ⅳ ﬁddle…", "aliases": ["violin№4"]}])
    assert hit_names(by_default, query) == ["Ⅳ ﬁddle…"]
    assert by_default.get("iv fiddle...")[0].entity.aliases == ("violin№4",)


def test_more_of_a_question_ranks_higher(by_default: Memory) -> None:
    answer = by_default.search("我们的数据库什么时候迁移到新服务器的？", mode="keyword")
    assert [hit.name for hit in answer.hits] == ["Move", "Park"]


def test_the_servers_english_leaves_out_what_ours_does(graph: Graph) -> None:
    english = next(language for language in schema.languages(graph) if language.name == "english")
    assert english.stop_words == StoreLanguages(graph).known[0].stop_words


# A store of one's own


@pytest.fixture(scope="module")
def own() -> Iterator[Settings]:
    with fresh_home() as home:
        yield small(home, query_seconds=120, languages=MANY)


@pytest.fixture(scope="module")
def store(own: Settings) -> Iterator[Graph]:
    with connect(own, read_only=False, progress=SILENT) as graph:
        schema.ensure(graph, own.languages)
        yield graph


@pytest.fixture(scope="module")
def session(store: Graph) -> Iterator[neo4j.Session]:
    """For what no statement of graphmem does."""
    with store._session("WRITE") as session:
        yield session


@pytest.fixture
def many(store: Graph) -> Graph:
    """The store, in its own languages again."""
    schema.remake(store, MANY)
    return store


@pytest.fixture
def bare(store: Graph, session: neo4j.Session) -> Graph:
    """The store without a text index of any language, as an empty database is."""
    for name in NAMES:
        session.run("DROP INDEX $name IF EXISTS", name=index_name(name)).consume()
    return store


def languages(graph: Graph) -> list[str]:
    return [language.name for language in schema.languages(graph)]


def ids(session: neo4j.Session) -> dict[str, int]:
    rows = session.run("SHOW FULLTEXT INDEXES YIELD name, id WHERE name STARTS WITH 'graphmem_'")
    return {row["name"]: row["id"] for row in rows}


@pytest.fixture(scope="module")
def spoken(store: Graph) -> Iterator[Memory]:
    schema.remake(store, MANY)
    memory = filled(store, "example.org/languages/many")
    yield memory
    memory.model.close()


@pytest.mark.parametrize(("query", "names"), [*ALWAYS, *BY_SETTING])
@pytest.mark.usefixtures("many")
def test_the_languages_of_the_setting_find_their_forms_of_words(
    spoken: Memory, query: str, names: list[str]
) -> None:
    assert hit_names(spoken, query) == names


def test_accented_words_match_without_accents_if_the_setting_says_so(store: Graph) -> None:
    schema.remake(store, ["standard-folding"])
    memory = filled(store, "example.org/languages/accents")
    assert hit_names(memory, "cafe") == hit_names(memory, "café") == ["Accents"]
    assert hit_names(memory, "resume AND cafe") == ["Accents"]
    memory.model.close()


# Every language there is

WORDS = {
    "LATIN": "kontakt", "CYRILLIC": "контакт", "GREEK": "επαφη", "ARMENIAN": "կապ", "CJK": "联系人",
    "ARABIC": "اتصال", "DEVANAGARI": "संपर्क", "THAI": "ติดต่อ",
}  # fmt: skip


@pytest.fixture(
    scope="module",
    params=[NAMES[start : start + 4] for start in range(0, len(NAMES), 4)],
    ids="-".join,
)
def spoken_names(store: Graph, request: pytest.FixtureRequest) -> tuple[str, ...]:
    """Some of all languages, as many as a store may have, which the store has now."""
    names: tuple[str, ...] = request.param
    schema.remake(store, names)
    return names


def test_every_language_can_be_searched_and_keeps_projects_apart(
    store: Graph, spoken_names: tuple[str, ...]
) -> None:
    names = spoken_names
    assert languages(store) == list(names)
    memory = filled(store, f"example.org/languages/{names[0]}")
    other = f"{memory.project}/other"
    for project in (memory.project, other):
        words = {name: WORDS[SCRIPTS[name]] for name in names}
        memory.remember(
            [{"name": f"Of {name}", "text": f"{word} {word}."} for name, word in words.items()],
            project=project,
        )
    for name in names:
        hits = memory.search(WORDS[SCRIPTS[name]], mode="keyword", expand=False).hits
        assert f"Of {name}" in {hit.name for hit in hits}
        assert {hit.project for hit in hits} == {memory.project}
    memory.model.close()


@pytest.fixture
def tokens(session: neo4j.Session) -> Iterator[list[str]]:
    """Filter tokens of passages, some of which a stemmer might take for forms of others."""
    words = [text.token("project", str(number)) for number in range(300)]
    near = [f"{word[:-2]}{other}0" for word in words[:100] for other in "s1e"]
    tokens = list(dict.fromkeys([*words, *near]))
    session.run("UNWIND $tokens AS token CREATE (:Passage {filters: token})", tokens=tokens)
    yield tokens
    session.run("MATCH (passage:Passage) WHERE passage.text IS NULL DELETE passage").consume()


def test_filter_tokens_are_not_stemmed_in_any_language(
    session: neo4j.Session, tokens: list[str], spoken_names: tuple[str, ...]
) -> None:
    for name in spoken_names:
        rows = session.run(
            "UNWIND $tokens AS token CALL (token) {"
            " CALL db.index.fulltext.queryNodes($index, 'filters:' + token) YIELD node"
            " RETURN collect(node.filters) AS found } "
            "WITH token, found WHERE found <> [token] RETURN token, found",
            tokens=tokens,
            index=index_name(name),
        )
        assert [row.data() for row in rows] == [], name


@pytest.mark.usefixtures("spoken_names")
def test_a_long_text_without_a_blank_does_no_language_harm(
    store: Graph, session: neo4j.Session
) -> None:
    long = [letter * 40_000 for letter in "xя数ก데"]
    session.run(
        "UNWIND $long AS text CREATE (:Passage {text: text, words: text})", long=long
    ).consume()
    session.run("MATCH (passage:Passage) WHERE passage.text IN $long DELETE passage", long=long)
    assert schema.check(store) == []


# The languages of a store


@pytest.mark.parametrize("setting", [("german", "french"), ("russian",), DEFAULT])
def test_a_new_store_is_indexed_in_the_languages_of_the_setting(
    bare: Graph, setting: tuple[str, ...]
) -> None:
    schema.ensure(bare, setting)
    assert languages(bare) == sorted(setting)
    assert schema.check(bare) == []


def test_a_store_keeps_its_languages_and_a_request_for_others_is_noted(
    many: Graph,
    own: Settings,
    session: neo4j.Session,
    caplog: pytest.LogCaptureFixture,
) -> None:
    before = ids(session)
    other = attrs.evolve(own, languages=("english", "french"))
    with Memory.open(project="p", config=other, embedder=FakeEmbedder()) as memory:
        assert [language.name for language in memory.languages.known] == list(MANY)
    assert ids(session) == before
    assert languages(many) == list(MANY)
    [said] = [
        record.getMessage() for record in own_records(caplog) if record.levelno == logging.WARNING
    ]
    assert "indexed in cjk, english, german and thai" in said
    assert "names english and french" in said
    assert "graphmem db reindex" in said


def test_default_languages_do_not_change_a_stores_languages(
    many: Graph, own: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    with Memory.open(project="p", config=small(own.home), embedder=FakeEmbedder()) as memory:
        assert [language.name for language in memory.languages.known] == languages(many)
    assert own_records(caplog) == []


def test_a_memory_that_only_reads_makes_no_index(
    bare: Graph, own: Settings, session: neo4j.Session
) -> None:
    before = ids(session)
    with Memory.open(project="p", config=own, embedder=FakeEmbedder(), read_only=True) as memory:
        assert memory.languages.known == ()
        assert memory.search("redis", mode="keyword").hits == ()
    assert ids(session) == before
    assert languages(bare) == []


@pytest.mark.parametrize("index", [statements.EMBEDDING_INDEXES[0], "graphmem_entity_handles"])
def test_a_memory_that_only_reads_says_what_creates_an_index_that_is_missing(
    bare: Graph, own: Settings, session: neo4j.Session, index: str
) -> None:
    session.run(f"DROP INDEX {index}").consume()
    try:
        with (
            Memory.open(project="p", config=own, embedder=FakeEmbedder(), read_only=True) as memory,
            pytest.raises(DatabaseError, match=r"the store lacks an index.*`graphmem doctor`"),
        ):
            memory.search("redis")
    finally:
        schema.ensure(bare, ("english",))


def test_two_that_open_a_new_store_at_once_agree_on_its_languages(bare: Graph) -> None:
    settings = [("english", "russian"), ("german", "french", "spanish")]
    at_once(*(partial(schema.ensure, bare, own) for own in settings * 3))
    assert languages(bare) in [sorted(setting) for setting in settings]


def test_concurrent_changes_of_languages_wait_for_each_other(bare: Graph) -> None:
    settings = [("english", "russian"), ("german", "french", "spanish"), ("english", "thai")]
    for _ in range(3):
        at_once(*(partial(schema.remake, bare, own) for own in settings))
        assert languages(bare) in [sorted(setting) for setting in settings]
        assert schema.check(bare) == []


def test_the_indexes_of_an_earlier_version_are_used_as_they_are(
    bare: Graph, session: neo4j.Session
) -> None:
    rest = ["words", "filters", "name", "title", "alias", "tag", "kind", "category"]
    for name, first in (("english", ["text", "names"]), ("russian", ["names", "text"])):
        properties = ", ".join(f"passage.{one}" for one in [*first, *rest])
        session.run(
            f"CREATE FULLTEXT INDEX graphmem_passage_{name} FOR (passage:Passage) ON EACH"
            f" [{properties}] OPTIONS {{indexConfig: {{`fulltext.analyzer`: '{name}'}}}}"
        ).consume()
    session.run("CALL db.awaitIndexes(60)").consume()
    before, statements = ids(session), bare.statements
    schema.ensure(bare, embedding_set=0)
    assert (ids(session), bare.statements) == (before, statements + 1)
    assert languages(bare) == ["english", "russian"]


def test_other_languages_take_the_place_of_those_before_and_what_fits_stays(
    many: Graph, session: neo4j.Session
) -> None:
    before = ids(session)
    made, dropped = schema.remake(many, ["english", "french", "thai", "greek"])
    assert (made, dropped) == (("french", "greek"), ("cjk", "german"))
    after = ids(session)
    kept = [index_name("english"), index_name("thai"), "graphmem_passage_exact"]
    assert [after[name] for name in kept] == [before[name] for name in kept]
    assert schema.check(many) == []
    assert schema.remake(many, ["greek", "thai", "french", "english"]) == ((), ())


def test_an_index_with_another_analyzer_is_named_and_made_anew(
    many: Graph, session: neo4j.Session
) -> None:
    name = index_name("german")
    session.run("DROP INDEX $name", name=name).consume()
    session.run(
        "CREATE FULLTEXT INDEX $name FOR (passage:Passage) ON EACH [passage.text]", name=name
    ).consume()
    session.run("CALL db.awaitIndexes(60)").consume()
    assert "graphmem_passage_german is FULLTEXT" in schema.check(many)[0]
    assert schema.remake(many, MANY) == (("german",), ())
    assert schema.check(many) == []


def test_a_memory_goes_on_when_another_process_changes_the_languages(
    many: Graph, spoken: Memory
) -> None:
    assert hit_names(spoken, "Haus") == ["Street"]
    schema.remake(many, ["english", "russian"])
    assert hit_names(spoken, "ended") == ["War"]
    assert hit_names(spoken, "Häuser") == ["Street"]
    assert [language.name for language in spoken.languages.known] == ["english", "russian"]
    schema.remake(many, MANY)
    assert hit_names(spoken, "серверов") == []


# The terminal


def test_doctor_says_what_differs_and_db_reindex_puts_it_right(
    many: Graph,
    own: Settings,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(cli_session, "embedder", lambda *_, **__: FakeEmbedder())
    monkeypatch.setenv("GRAPHMEM_HOME", str(own.home))
    monkeypatch.setenv("GRAPHMEM_QUERY_SECONDS", "120")
    monkeypatch.setenv("GRAPHMEM_LANGUAGES", "German, english")
    assert cli.main(["doctor", "--project", "p"]) == 1
    assert "✗ languages" in (said := capsys.readouterr().out)
    assert "GRAPHMEM_LANGUAGES names german and english" in said

    assert cli.main(["db", "reindex"]) == 0
    assert "dropped  cjk and thai" in capsys.readouterr().out
    assert languages(many) == ["english", "german"]

    assert cli.main(["db", "reindex"]) == 0
    assert "nothing was changed" in capsys.readouterr().out
    assert cli.main(["doctor", "--project", "p"]) == 0
    assert "texts are indexed in english and german" in capsys.readouterr().out
