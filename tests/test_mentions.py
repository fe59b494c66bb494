"""Names in texts become links: which names, where in a text, and what of them is kept."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fakes import FakeEmbedder
from graphmem import cli
from graphmem.cli import session
from graphmem.importing.prose import prose
from graphmem.memory import Memory
from graphmem.memory.imports.mentioning import MOST_MENTIONS, WEIGHT, NamedEntity, Texts
from graphmem.mentions import Names
from graphmem.model import Entity, Item, Observation, Report
from graphmem.progress import SILENT, Progress
from graphmem.text import key
from graphmem.transfer import FORMATS, Format, Row


def mentioned_names(text: str, *names: str) -> list[str]:
    """The names found in a text; each is its own key."""
    return list(Names((name, name) for name in names).found_in(text))


def test_a_text_of_nothing_but_particles_is_read_to_its_end() -> None:
    assert mentioned_names(f"{'에' * 100_000} 김철수에게서는", "김철수") == ["김철수"]


# Which names are found


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("We use Redis.", "Redis"),
        ("(Redis)", "Redis"),
        ("Redis's log", "Redis"),
        ("the REDIS  Cache\nis full", "Redis cache"),
        ("see adr-7, please", "ADR-7"),
        ("ADR-7-redis.md", "ADR-7"),
        ("Create_Tool was called", "create_tool"),
        ("rye/file-system/read does it", "rye/file-system/read"),
        ("I like C++.", "C++"),
        ("in The Power of it", "The Power"),
        ("once THE POWER", "The Power"),
        ("у команды уведомлений нет", "Команды Уведомлений".lower()),
        ("Ёлка стоит", "Ёлка"),
        ("新しい倉庫管理システム", "倉庫管理"),
        ("新しいデータベースだ", "データベース"),
        ("昨天张伟来了", "张伟"),
        ("어제 김철수가 왔다", "김철수"),
        ("새 결제 서버에서는 된다", "결제 서버"),
        ("고양이를 본다", "고양이"),
        ("हिन्दी में", "हिन्दी"),
        ("ﬁle_store", "file_store"),
        ("Straße 7", "STRASSE 7"),
    ],
)
def test_a_name_is_found(text: str, name: str) -> None:
    assert mentioned_names(text, name) == [name]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("redis, REDIS", "Redis"),
        ("we search and search", "search"),
        ("Search", "search"),
        ("Princess Anne came", "Princess"),
        ("Redistribution, preRedis", "Redis"),
        ("in my_Redis_log", "Redis"),
        ("ADR-71", "ADR-7"),
        ("by the power of it", "The Power"),
        ("Go and see", "Go"),
        ("*** done ***", "***"),
        ("データベース", "データ"),
        ("张先生", "张"),
        ("김철수님이 왔다", "김철"),
        ("हिन्दी में", "हिन्द"),
        ("", "Redis"),
        ("a " * 40, "a " * 40),
    ],
)
def test_a_name_is_not_found(text: str, name: str) -> None:
    assert mentioned_names(text, name) == []


def test_the_longest_name_wins_and_the_rest_of_it_is_not_looked_at() -> None:
    names = ("Redis", "Redis cache", "Redis cache policy", "cache policy draft")
    assert mentioned_names("The redis cache policy draft", *names) == ["Redis cache policy"]
    assert mentioned_names("Redis caches", *names) == ["Redis"]
    assert mentioned_names("Redis cache polls", *names) == ["Redis cache"]


def test_names_are_found_in_the_order_of_the_text_as_often_as_they_stand_there() -> None:
    assert mentioned_names("ADR-2, ADR-1, ADR-2", "ADR-1", "ADR-2") == ["ADR-2", "ADR-1", "ADR-2"]


def test_a_name_shared_by_more_than_three_entities_is_no_mention() -> None:
    three = [("John Smith", f"k{number}") for number in range(3)]
    assert list(Names(three).found_in("John Smith")) == ["k0", "k1", "k2"]
    four = Names([*three, ("john smith", "k3"), ("John", "j"), ("Smith", "s")])
    assert list(four.found_in("John Smith")) == []


@given(st.lists(st.text(max_size=30), max_size=20), st.text(max_size=300))
def test_any_names_in_any_text_are_found_or_not(names: list[str], text: str) -> None:
    assert set(mentioned_names(text, *names)) <= set(names)


@given(st.text(st.characters(categories=["Lu", "Ll", "Nd"]), min_size=3, max_size=20))
def test_a_name_with_a_digit_is_found_between_spaces_and_marks(name: str) -> None:
    assert mentioned_names(f"({name}7) and so on", f"{name}7") == [f"{name}7"]


# Where in a text

MARKED = """# About *Tide* feed

Plain, `inline code`, ``with ` in it``, [a link](else/where.md "hint") and ![a picture](p.png).
<!-- a comment
-->

    indented

> - ```python
>   fenced
>   ```
> quoted <b>bold</b> [[Wiki|link]]

~~~
also fenced
~~~

<div>In <i>HTML</i><!-- hidden --></div>
"""


def test_prose_is_what_stands_outside_of_code_and_markup() -> None:
    words = prose(MARKED).split()
    assert "About Tide feed Plain, , , a link and a picture." in " ".join(words)
    assert "quoted bold [[Wiki|link]] In HTML" in " ".join(words)
    for hidden in ("code", "in", "else", "comment", "indented", "fenced", "hidden", "div", "hint"):
        assert hidden not in words


@given(st.text(max_size=500))
def test_every_text_has_its_prose(text: str) -> None:
    assert isinstance(prose(text), str)


# What is linked


def linked(*said: Entity, others: tuple[str, ...] = ()) -> list[str]:
    """What the texts of an import are linked to, beside other entities of the project."""
    stored = [NamedEntity(key("p", name), name) for name in others]
    with Texts("p") as texts:
        for entity in said:
            texts.add(entity, "file")
        relations = [relation for _, relation in texts.mentions(stored, {}, progress=SILENT)]
    return [f"{one.start} > {one.end}" for one in relations]


def test_names_aliases_and_titles_of_several_words_are_linked_once_each() -> None:
    entity = Entity("Log", text="ADR-7 and Redis cache. Keep sessions, Idea, tide feed, ADR-7")
    cache = Entity("Redis cache", title="Keep sessions", aliases=("ADR-7",))
    assert linked(entity, cache, Entity("x9", title="Idea"), others=("Tide feed",)) == [
        "Log > Redis cache",
        "Log > Tide feed",
    ]


def test_observations_are_texts_too() -> None:
    entity = Entity("Log", observations=(Observation("It was the Redis cache."),))
    assert linked(entity, Entity("Redis cache")) == ["Log > Redis cache"]


def test_code_is_no_text() -> None:
    entity = Entity("Log", text="`Redis cache`\n\n    Redis cache\n\n```\nRedis cache\n```\n")
    assert linked(entity, Entity("Redis cache")) == []


def test_an_entity_never_mentions_itself() -> None:
    assert linked(Entity("Redis cache", aliases=("ADR-7",), text="Redis cache, ADR-7")) == []


@pytest.mark.parametrize(
    "relation",
    [
        {"from": "Log", "relation": "ABOUT", "to": "Redis cache"},
        {"from": "redis CACHE", "relation": "LOGGED_IN", "to": "log"},
        {"from": "Log", "relation": "MENTIONS", "to": "ADR-7"},
    ],
)
def test_what_a_relation_of_the_import_joins_is_not_linked_again(
    memory: Memory, tmp_path: Path, relation: dict[str, str]
) -> None:
    lines = [
        {"type": "relation", **relation},
        {"type": "entity", "name": "Log", "text": "The Redis cache."},
        {"type": "entity", "name": "Redis cache", "aliases": ["ADR-7"]},
    ]
    file = tmp_path / "all.jsonl"
    file.write_text("\n".join(json.dumps(line) for line in lines))
    report = memory.import_("jsonl", file, mentions=True)
    assert report.counts("relation")["created"] == 1
    assert [line.get("attributes") for line in memory.export() if "relation" in line] == [None]


def test_an_entity_mentions_fifty_others_at_most() -> None:
    many = [Entity(f"Thing {number}") for number in range(60)]
    said = Entity("Log", text=", ".join(entity.name for entity in many))
    assert linked(said, *many) == [f"Log > Thing {n}" for n in range(MOST_MENTIONS)]


def test_texts_of_one_entity_in_several_rows_are_one() -> None:
    said = (Entity("Log", text="Redis cache"), Entity("log", text="Tide feed, Redis cache"))
    assert linked(*said, others=("Redis cache", "Tide feed")) == [
        "Log > Redis cache",
        "Log > Tide feed",
    ]


# Imported, and imported again


def rows(path: Path, _: Progress) -> Iterator[Row]:
    """A small format: a folder of `NAME.txt`; an empty file cannot be read."""
    for file in sorted(path.glob("*.txt")):
        text = file.read_text()
        refused = Item("entity", file.stem, "refused", "it is empty")
        entity = Entity(file.stem, text=text, source=file.name)
        yield Row(file.name, entity if text else refused)


@pytest.fixture(autouse=True)
def formats(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(FORMATS, "texts", Format(rows, "texts", whole=True, mentions=True))
    monkeypatch.setitem(FORMATS, "pages", Format(rows, "texts that are not all there is"))


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    """Two texts; one names the other, and one that is not imported."""
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "Redis cache.txt").write_text("For the Session store, next to the Tide feed.")
    (folder / "Session store.txt").write_text("Keeps who is signed in.")
    return folder


def mentions(memory: Memory) -> dict[str, object]:
    """The attributes of every MENTIONS relation, by its ends."""
    return {
        f"{line['from']} > {line['to']}": line.get("attributes")
        for line in memory.export()
        if line.get("relation") == "MENTIONS"
    }


def outcomes(report: Report) -> set[str]:
    return {item.outcome for item in report.items if item.what == "relation"}


DERIVED = {"derived": True}


def test_a_text_is_linked_to_what_is_imported_and_to_what_is_there(
    memory: Memory, notes: Path
) -> None:
    memory.remember([{"name": "Tide feed"}, {"name": "signed in", "status": "deprecated"}])
    report = memory.import_("texts", notes)
    assert [(item.name, item.place) for item in report.items if item.what == "relation"] == [
        ("Redis cache -[MENTIONS]-> Session store", "Redis cache.txt"),
        ("Redis cache -[MENTIONS]-> Tide feed", "Redis cache.txt"),
    ]
    assert mentions(memory) == {
        "Redis cache > Session store": DERIVED,
        "Redis cache > Tide feed": DERIVED,
    }
    (link,) = (link for link in memory.get("Session store")[0].neighbours)
    assert link.weight == WEIGHT
    assert outcomes(memory.import_("texts", notes)) == {"unchanged"}


def test_links_are_made_again_and_those_that_no_longer_hold_are_deleted(
    memory: Memory, notes: Path
) -> None:
    memory.import_("texts", notes)
    (notes / "Redis cache.txt").write_text("For nothing.")
    (notes / "Session store.txt").write_text("Stands on the Redis cache.")
    assert outcomes(memory.import_("texts", notes, dry_run=True)) == {"created", "removed"}
    assert mentions(memory) == {"Redis cache > Session store": DERIVED}
    memory.import_("texts", notes)
    assert mentions(memory) == {"Session store > Redis cache": DERIVED}


def test_mentions_of_a_removed_entity_are_removed(memory: Memory, notes: Path) -> None:
    memory.import_("texts", notes)
    (notes / "Session store.txt").unlink()
    memory.import_("texts", notes)
    assert mentions(memory) == {}


def test_a_file_that_cannot_be_read_keeps_its_links_and_its_name(
    memory: Memory, notes: Path
) -> None:
    memory.import_("texts", notes)
    for name in ("Redis cache.txt", "Session store.txt"):
        kept = (notes / name).read_text()
        (notes / name).write_text("")
        memory.import_("texts", notes)
        assert mentions(memory) == {"Redis cache > Session store": DERIVED}
        (notes / name).write_text(kept)


def test_a_mention_that_a_caller_asserted_stays(memory: Memory, notes: Path) -> None:
    memory.import_("texts", notes, mentions=False)
    memory.link("Redis cache", "MENTIONS", "Session store", note="in passing")
    assert outcomes(memory.import_("texts", notes)) == {"unchanged"}
    assert mentions(memory) == {"Redis cache > Session store": None}
    (notes / "Redis cache.txt").write_text("For nothing.")
    memory.import_("texts", notes)
    (link,) = memory.get("Redis cache")[0].neighbours
    assert (link.note, link.weight) == ("in passing", 1.0)


def test_a_link_out_of_text_becomes_theirs_who_say_it(memory: Memory, notes: Path) -> None:
    memory.import_("texts", notes)
    memory.link("Redis cache", "MENTIONS", "Session store")
    assert mentions(memory) == {"Redis cache > Session store": None}
    (notes / "Redis cache.txt").write_text("For nothing.")
    assert outcomes(memory.import_("texts", notes)) == set()
    assert memory.get("Redis cache")[0].neighbours[0].weight == 1.0


def test_links_can_be_asked_for_or_not_with_any_format(memory: Memory, notes: Path) -> None:
    memory.import_("pages", notes)
    assert mentions(memory) == {}
    memory.import_("pages", notes, mentions=True)
    assert mentions(memory) == {"Redis cache > Session store": DERIVED}
    (notes / "Redis cache.txt").write_text("For nothing.")
    memory.import_("pages", notes)
    memory.import_("pages", notes, mentions=True, dry_run=True)
    assert mentions(memory) == {"Redis cache > Session store": DERIVED}
    assert memory.import_("pages", notes, mentions=True).counts("relation")["removed"] == 1
    assert mentions(memory) == {}


def test_links_can_be_taken_away_again(memory: Memory, notes: Path) -> None:
    memory.import_("pages", notes, mentions=True)
    assert memory.import_("pages", notes, mentions=False).counts("relation")["removed"] == 1
    memory.import_("texts", notes)
    assert memory.import_("texts", notes, mentions=False).counts("relation")["removed"] == 1
    assert mentions(memory) == {}


def test_a_line_that_cannot_be_read_leaves_the_links_of_others_alone(
    memory: Memory, tmp_path: Path
) -> None:
    lines = tmp_path / "all.jsonl"
    said = {"type": "entity", "name": "Log", "text": "The Redis cache."}
    lines.write_text(f'{json.dumps(said)}\n{{"type": "entity", "name": "Redis cache"}}\n')
    memory.import_("jsonl", lines, mentions=True)
    assert mentions(memory) == {"Log > Redis cache": DERIVED}
    lines.write_text('{"type": "entity", "name": "Log", "text": "Nothing."}\n{broken\n')
    memory.import_("jsonl", lines, mentions=True)
    assert mentions(memory) == {}


def test_a_text_that_another_import_reads_too_has_its_links_made_again(
    memory: Memory, notes: Path
) -> None:
    memory.import_("texts", notes)
    (notes / "Redis cache.txt").write_text("For nothing.")
    memory.import_("pages", notes, mentions=True)
    assert mentions(memory) == {}


def test_an_export_keeps_what_is_derived(memory: Memory, notes: Path, tmp_path: Path) -> None:
    memory.import_("texts", notes)
    lines = list(memory.export())
    file = tmp_path / "all.jsonl"
    file.write_text("\n".join(json.dumps(line) for line in lines))
    copy = f"{memory.project}-copy"
    memory.import_("jsonl", file, project=copy)
    assert list(memory.export(project=copy)) == lines


def test_a_wiki_link_is_what_its_author_said(memory: Memory, tmp_path: Path) -> None:
    (tmp_path / "Log.md").write_text("[[Redis cache]], and the tide feed.")
    (tmp_path / "Redis cache.md").write_text("Text.")
    (tmp_path / "Tide feed.md").write_text("Text.")
    memory.import_("markdown", tmp_path)
    assert mentions(memory) == {"Log > Redis cache": None}
    memory.import_("markdown", tmp_path, mentions=True)
    assert mentions(memory) == {"Log > Redis cache": None, "Log > Tide feed": DERIVED}


def test_the_command_asks_for_links(
    memory: Memory, notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session, "embedder", lambda *_, **__: FakeEmbedder())
    # The command takes names of formats that were there when it was made.
    monkeypatch.setitem(FORMATS, "csv", FORMATS["pages"])
    command = ("import", "csv", str(notes), "--project", str(memory.project))
    assert cli.main([*command, "--mentions"]) == 0
    assert mentions(memory) == {"Redis cache > Session store": DERIVED}
    assert cli.main([*command, "--no-mentions"]) == 0
    assert mentions(memory) == {}
