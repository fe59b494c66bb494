"""A folder of notes, such as an Obsidian vault, is imported as its owner means it."""

import random
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fakes import FakeEmbedder
from graphmem import cli
from graphmem.cli import session
from graphmem.errors import InvalidInput
from graphmem.importing.opening import File
from graphmem.memory import Memory
from graphmem.transfer import LeftOut
from graphmem.transfer.markdown.notes import Notes
from graphmem.transfer.markdown.references import read_note_text
from note_folders import VAULT, ends, entities, read, refusals, write

# Folders


def test_folders_with_a_dot_are_left_out_unless_they_are_imported_themselves(
    tmp_path: Path,
) -> None:
    notes = (".obsidian/a.md", ".trash/b.md", "c/.git/d.md", "c/e.md", ".f.md")
    write(tmp_path, dict.fromkeys(notes, "Text."))
    assert set(entities(read(tmp_path))) == {".f.md", "c/e.md"}
    assert set(entities(read(tmp_path / ".trash"))) == {"b.md"}


def test_what_package_managers_downloaded_is_left_out(tmp_path: Path) -> None:
    notes = (
        "node_modules/p/README.md",
        "docs/node_modules/q.md",
        "site-packages/r.md",
        "vendor/s.md",
    )
    write(tmp_path, dict.fromkeys(notes, "Text."))
    assert set(entities(read(tmp_path))) == {"vendor/s.md"}


def test_what_git_ignores_is_left_out_and_named(tmp_path: Path) -> None:
    paths = (
        "docs/a.md", "docs/build/b.md", "docs/draft.md", "docs/keep/draft.md", "docs/x/build.md",
        "private/c.md", "docs/d.txt",
    )  # fmt: skip
    write(tmp_path, dict.fromkeys(paths, "Text."))
    rules = {".gitignore": "build/\nprivate/\n", "docs/.gitignore": "draft*\n*.txt\n"}
    write(tmp_path, rules | {"docs/keep/.gitignore": "!draft.md\n"})
    (tmp_path / ".git").mkdir()
    rows = read(tmp_path)
    assert set(entities(rows)) == {"docs/a.md", "docs/keep/draft.md", "docs/x/build.md"}
    left_out = {row.place for row in rows if isinstance(row.value, LeftOut)}
    assert left_out == {"docs/build/", "docs/draft.md", "private/"}
    # The rules of the repository hold in a folder of it, but not for the one that is named.
    assert set(entities(read(tmp_path / "docs"))) == {"a.md", "keep/draft.md", "x/build.md"}
    assert set(entities(read(tmp_path / "private"))) == {"c.md"}
    assert set(entities(read(tmp_path / "docs/draft.md"))) == {"draft.md"}


def test_a_folder_behind_a_link_has_the_rules_that_are_in_it(tmp_path: Path) -> None:
    write(tmp_path, {".hidden/docs/a.md": "", ".hidden/docs/b.md": "", ".hidden/c.md": "",
                     ".hidden/docs/.gitignore": "b.md", ".gitignore": "c.md"})  # fmt: skip
    (tmp_path / "docs").symlink_to(".hidden/docs")
    (tmp_path / "c.md").symlink_to(".hidden/c.md")
    (tmp_path / "e.md").symlink_to(".hidden/c.md")
    assert set(entities(read(tmp_path))) == {"docs/a.md", "e.md"}


def test_rules_of_git_that_cannot_be_followed_are_refused_and_hide_no_removal(
    tmp_path: Path,
) -> None:
    rows = read(tmp_path, {"a.md": "", "b.md": "", ".gitignore": f"{'x' * 2000}\nb.md\n"})
    assert list(refusals(rows)) == [".gitignore"]
    assert all(row.is_read for row in rows if row.place == ".gitignore")
    assert set(entities(rows)) == {"a.md"}


def test_the_report_names_what_git_ignores(memory: Memory, tmp_path: Path) -> None:
    write(tmp_path, {"a.md": "", "b.md": "", "c/d.md": "", ".gitignore": "b.md\nc/\n"})
    report = memory.import_("markdown", tmp_path)
    assert report.refused == ()
    assert report.notes == ("2 paths were left out as ignored by git: 'b.md', 'c/'",)


# Names


def test_of_files_of_one_name_the_one_in_the_fewest_folders_has_it(tmp_path: Path) -> None:
    rows = read(tmp_path, dict.fromkeys(VAULT, "Text.") | {"a/b/home.md": "", "z/home.md": ""})
    assert not refusals(rows)
    called = {place: entity.name for place, entity in entities(rows).items()}
    assert called == VAULT | {"a/b/home.md": "a/b/home", "z/home.md": "z/home"}


def test_files_that_are_as_deep_are_told_apart_by_their_paths(tmp_path: Path) -> None:
    rows = read(tmp_path, {"b/index.md": "", "a/index.md": "", "a/c/INDEX.md": ""})
    names = {place: entity.name for place, entity in entities(rows).items()}
    assert names == {"a/index.md": "index", "b/index.md": "b/index", "a/c/INDEX.md": "a/c/INDEX"}


def test_a_name_in_the_front_matter_wins_over_the_name_of_a_file(tmp_path: Path) -> None:
    rows = read(tmp_path, {"a.md": "Text.", "x/b.md": "---\nname: a\n---\n", "x/a.md": "Text."})
    names = {place: entity.name for place, entity in entities(rows).items()}
    assert names == {"x/b.md": "a", "x/a.md": "x/a"}
    assert "x/b.md has the same name" in str(refusals(rows)["a.md"])


@given(paths=st.sets(st.sampled_from(
    [f"{folder}{name}.md" for folder in ("", "a/", "b/", "a/b/", "b/a/c/") for name in "aAbé"]
)), seed=st.integers())  # fmt: skip
def test_names_differ_and_do_not_depend_on_the_order_of_the_files(
    paths: set[str], seed: int
) -> None:
    files = [File(Path("/"), (*path.split("/"),), (*path.split("/"),)) for path in sorted(paths)]
    shuffled = random.Random(seed).sample(files, len(files))  # noqa: S311 - any order
    one, other = Notes(files, {}), Notes(shuffled, {})
    names = [one.name_of(file) for file in files]
    assert names == [other.name_of(file) for file in files]
    owners = {one.owner(one.name_of(file), file) for file in files}
    assert len({name.casefold() for name in names}) == len(owners)


# Tags


@pytest.mark.parametrize(
    ("content", "tags"),
    [
        ("#plan and #nested/tag, then #plan.", ("plan", "nested/tag")),
        ("- #1a\n- #y2026\n- #in-work_now/", ("1a", "y2026", "in-work_now")),
        ("#начало #🌱 #हिन्दी। #日本、#x #👩🏽‍🚀", ("начало", "🌱", "हिन्दी", "日本", "👩🏽‍🚀")),
        ("**x** #bold [a](b) #late\n#next", ("bold", "late", "next")),
        ("#123 #2026-03 # a#b ## #/ &#35; \\#no https://a.example/#top", ()),
        ("# Title #no\n\nTitle #no\n===\n\n`#no`\n\n```\n#no\n```\n\n    #no", ()),
        (f"#{'x' * 300} #yes", ("yes",)),
        ("#Plan #plan", ("Plan",)),
        ("#ＡＩ #mc²", ("AI", "mc2")),
        (
            "{ color: #4DB6AC } #00ff00 #EF535080 #facade #b2b #4DB6AC0",
            ("facade", "b2b", "4DB6AC0"),
        ),
    ],
)
def test_words_with_a_mark_are_tags(content: str, tags: tuple[str, ...]) -> None:
    assert read_note_text(content).tags == tags


def test_tags_of_the_text_stand_beside_those_of_the_front_matter(tmp_path: Path) -> None:
    rows = read(tmp_path, {"a.md": "---\ntags: [Plan, berth]\n---\n#plan #tide"})
    assert entities(rows)["a.md"].tags == ("Plan", "berth", "tide")


def test_a_note_has_no_more_tags_than_an_entity_may_have(tmp_path: Path) -> None:
    rows = read(tmp_path, {"a.md": " ".join(f"#t{n}" for n in range(2_000))})
    assert len(entities(rows)["a.md"].tags) == 1_000


def test_files_with_other_endings_of_markdown_are_notes_too(tmp_path: Path) -> None:
    notes = {"a.md": "[[b]] ![[c.mdx]] [d](D.MD) [c](c.mdx)", "b.markdown": "", "c.mdx": ""}
    rows = read(tmp_path, notes | {"D.MD": "", "e.txt": "", "f.md.bak": ""})
    assert {note.name for note in entities(rows).values()} == {"a", "b", "c", "D"}
    assert ends(rows, "a.md") == ["b", "c", "D"]


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("import A from './a';\nimport B from \"b\"\n\n# Head\n", "# Head\n"),
        ("---\nkind: Guide\n---\n\nimport A from './a';\n\nimport './b.css';\n\nText\n", "Text\n"),
        ("import {\n  A,\n  B as C,\n} from 'x';\nimport * as D from 'd';\n\nText\n", "Text\n"),
        ("import A from './a';", ""),
        ("import duties from abroad are high\n", "import duties from abroad are high\n"),
        ("import 'x' and more\n", "import 'x' and more\n"),
        ("Text\n\nimport A from './a';\n", "Text\n\nimport A from './a';\n"),
    ],
)  # fmt: skip
def test_what_mdx_imports_at_its_beginning_is_no_text(
    tmp_path: Path, content: str, text: str
) -> None:
    entities_by_name = entities(read(tmp_path, {"a.mdx": content, "b.md": content}))
    assert (entities_by_name["a.mdx"].text or "") == text.rstrip("\n")
    assert "import" in (entities_by_name["b.md"].text or "")


# Titles


@pytest.mark.parametrize(
    ("content", "title"),
    [
        ("# Berths\n\n## Prices", "Berths"),
        ("Berths\n======\n", "Berths"),
        ("<!-- toc -->\nText.\n\n# Use `tides` **now**, [see](b.md) {#now}", "Use tides now, see"),
        ("```\n# Code\n```\n> # Quoted\n\n# Berths", "Berths"),
        ("---\ntitle: Of the front matter\n---\n# Berths", "Of the front matter"),
        ("# Berths\n\n# Prices", None),
        ("## Prices\n\n# Berths", None),
        ("# A", None),
        ("#", None),
        (f"# {'berth ' * 100}", None),
    ],
)
def test_the_heading_of_a_text_is_the_title(
    tmp_path: Path, content: str, title: str | None
) -> None:
    rows = read(tmp_path, {"a.md": content})
    assert (entities(rows)["a.md"].title, refusals(rows)) == (title, {})


# Front matter


@pytest.mark.parametrize(
    ("front", "observations"),
    [
        ("description: Where boats are tied up.", ("Where boats are tied up.",)),
        ("description: >\n  Where boats\n  are tied up.", ("Where boats are tied up.",)),
        ("description: 2026", ("2026",)),
        ("description:", ()),
        ("description: [quays, piers]", ()),
    ],
)
def test_the_description_of_a_note_is_an_observation(
    tmp_path: Path, front: str, observations: tuple[str, ...]
) -> None:
    rows = read(tmp_path, {"a.md": f"---\n{front}\n---\nBerths"})
    note = entities(rows)["a.md"]
    assert tuple(observation.text for observation in note.observations) == observations
    assert ("description" in note.attributes) == ("[" in front)
    assert refusals(rows) == {}


@pytest.mark.parametrize(
    "front",
    [
        "aliases: null", "aliases:", "aliases: []", "aliases:\n  -", "tags:", "tags: []",
        "tags: #a", "cssclasses:\n  - wide", "date: 2026-03-01", "created: 2026-03-01T10:00",
        "updated: 2026-03-01 10:00:00", "publish: false", "up: '[[a]]'", "up: [[a]]", "kind:",
        "created: {{date}}", "created: {{date:YYYY-MM-DD}}", "tags:\n  - {{tag}}", "title: ''",
        "created: <% tp.date.now() %>", "id: 20260301", "name: ''", "kanban-plugin: board",
        "source: ['[[a]]', b]", f"source: https://example.org/{'a' * 300}", "category: [a, b]",
    ],
)  # fmt: skip
def test_what_editors_write_refuses_no_note(tmp_path: Path, front: str) -> None:
    rows = read(tmp_path, {"a.md": f"---\n{front}\n---\nText."})
    assert (refusals(rows), entities(rows)["a.md"].name) == ({}, "a")


@pytest.mark.parametrize(
    ("front", "day", "attributes"),
    [
        ("created: 2026-03-01", 1, {}),
        ("date: 2026-03-02 07:08:09 +0200", 2, {}),
        ("date created: 2026-03-01", 1, {}),
        ("date: 2026-03-02\ncreated: 2026-03-01", 1, {"date": date(2026, 3, 2)}),
        ("date: 2026-03-02\ncreated_at: 2026-03-03", 3, {"date": date(2026, 3, 2)}),
        ("date: 2026-03-02\ncreated: once\ncreated_at:", 2, {"created": "once"}),
        ("date: 20260302\ncreated: {{date}}", None, {"date": 20260302, "created": "{{date}}"}),
    ],
)
def test_what_editors_call_the_date_of_a_note_dates_it(
    tmp_path: Path, front: str, day: int | None, attributes: dict[str, object]
) -> None:
    note = entities(read(tmp_path, {"a.md": f"---\n{front}\n---\nText."}))["a.md"]
    assert (note.created_at and note.created_at.day, note.attributes) == (day, attributes)


@pytest.mark.parametrize(
    ("path", "content", "day"),
    [
        ("2026-03-01.md", "", "2026-03-01"),
        ("journal/2026-03-01 Storm.md", "---\ncreated: {{date}}\n---\n", "2026-03-01"),
        ("_posts/2026-03-01-storm.md", "---\ndate: 2026-03-02\n---\n", "2026-03-02"),
        ("blog/2026-03-01-storm/index.md", "", "2026-03-01"),
        ("journals/2026_03_01.md", "", "2026-03-01"),
        ("2026-03-01-storm/other.md", "", None),
        ("2026-03-011.md", "", None),
        ("2026-02-30.md", "", None),
        ("On 2026-03-01.md", "", None),
    ],
)
def test_a_day_at_the_beginning_of_a_file_name_dates_the_note(
    tmp_path: Path, path: str, content: str, day: str | None
) -> None:
    note = entities(read(tmp_path, {path: content}))[path]
    assert (note.created_at and str(note.created_at.date())) == day


@pytest.mark.parametrize(
    ("front", "kind", "attributes"),
    [
        ("type: [[Cities]]", "Cities", {}),
        ("type:\n  - '[[Types/City#Large]]'", "City", {}),
        ("type: '[[Cities|Town]]'", "Town", {}),
        ("type: [City]", "City", {}),
        ("kind: ['[[Cities]]']", "Cities", {}),
        ("type: [City, Port]", None, {"type_": ["City", "Port"]}),
        ("type: 2026", None, {"type_": 2026}),
        ("type: ['[[Entity]]']", None, {"type_": ["[[Entity]]"]}),
    ],
)
def test_a_kind_may_be_written_as_a_link_or_a_list_of_one(
    tmp_path: Path, front: str, kind: str | None, attributes: dict[str, object]
) -> None:
    rows = read(tmp_path, {"a.md": f"---\n{front}\nstatus: ['[[Draft]]']\n---\n"})
    note = entities(rows)["a.md"]
    assert (note.kind, note.status, note.attributes) == (kind, "Draft", attributes)
    assert "Draft" in ends(rows, "a.md")


def test_an_empty_list_says_nothing(tmp_path: Path) -> None:
    note = entities(read(tmp_path, {"a.md": "---\ntype: []\ncast:\n  -\nstatus: []\n---\n"}))[
        "a.md"
    ]
    assert (note.kind, note.status, note.attributes) == (None, None, {})


def test_marks_that_nobody_sees_refuse_no_note(tmp_path: Path) -> None:
    front = "aliases: ['Knives\u200e Out']\ntags: ['\u200e#film']\ntitle: \u202aOut\u202c"
    rows = read(tmp_path, {"Knives\u200e.md": f"---\n{front}\n---\n", "b.md": "[[Knives\u200e]]"})
    note = entities(rows)["Knives\u200e.md"]
    assert (note.name, note.title, note.aliases) == ("Knives", "Out", ("Knives Out",))
    assert (note.tags, ends(rows, "b.md"), refusals(rows)) == (("film",), ["Knives"], {})


def test_words_that_begin_with_true_or_false_are_no_booleans(tmp_path: Path) -> None:
    front = "title: True colours\ntags: [true-crime, false_friend]\nheld: falsely\nset: true\n"
    rows = read(tmp_path, {"a.md": f"---\n{front}---\n"})
    assert refusals(rows) == {}
    note = entities(rows)["a.md"]
    assert (note.title, note.tags) == ("True colours", ("true-crime", "false_friend"))
    assert note.attributes == {"held": "falsely", "set": True}


def test_times_and_digits_behind_a_zero_are_texts_and_numbers_are_numbers(tmp_path: Path) -> None:
    front = "start: 12:30\nend: 1:02:03.5\nid: 007\npart: 01.10\nsize: 1_000\nbits: 0b11\n"
    numbers = "a: 0\nb: -1.50\nc: +12\nd: 0x1f\ne: .5\nf: 1.5e+3\n"
    rows = read(tmp_path, {"a.md": f"---\n{front}{numbers}---\n"})
    assert entities(rows)["a.md"].attributes == {
        "start": "12:30", "end": "1:02:03.5", "id": "007", "part": "01.10", "size": "1_000",
        "bits": "0b11", "a": 0, "b": -1.5, "c": 12, "d": 31, "e": 0.5, "f": 1500.0,
    }  # fmt: skip


def test_a_day_in_no_calendar_is_a_text_and_no_date_of_a_note(tmp_path: Path) -> None:
    rows = read(
        tmp_path,
        {
            "a.md": "---\ndue: 2026-02-30\n---\n",
            "b.md": "---\ncreated_at: 2026-02-30\n---\n",
        },
    )
    assert entities(rows)["a.md"].attributes == {"due": "2026-02-30"}
    (reason,) = refusals(rows).values()
    assert reason is not None
    assert "created_at must be" in reason


def test_the_source_of_a_note_is_its_file_unless_it_names_another(tmp_path: Path) -> None:
    long_path = f"{'folder/' * 30}c.md"
    notes = entities(
        read(tmp_path, {"guides/a.md": "", "b.md": "---\nsource: review\n---\n", long_path: ""})
    )
    assert {path: note.source for path, note in notes.items()} == {
        "guides/a.md": "guides/a.md", "b.md": "review", long_path: None
    }  # fmt: skip


@pytest.mark.parametrize(
    "front",
    ["tags: '#a #b'", "tags: '#a,#b'", "tags: ['#a', b]", "tags:\n- '#a'\n-\n- '#b'\n- '#'"],
)
def test_tags_in_the_front_matter_may_have_their_mark(tmp_path: Path, front: str) -> None:
    assert entities(read(tmp_path, {"a.md": f"---\n{front}\n---\n"}))["a.md"].tags == ("a", "b")


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("{date: to be announced}", '{"date": "to be announced"}'),
        ("{datetime: [1]}", '{"datetime": [1]}'),
        ("99340434161094042557", "99340434161094042557"),
        (".nan", ".nan"),
        ("!!binary aGVsbG8=", "aGVsbG8="),
        ("0001-01-01T00:00:00+10:00", "0001-01-01T00:00:00+10:00"),
    ],
)
def test_what_no_attribute_can_hold_is_kept_as_text(
    tmp_path: Path, written: str, value: str
) -> None:
    rows = read(tmp_path, {"a.md": f"---\nfield: {written}\n---\n"})
    assert refusals(rows) == {}
    assert entities(rows)["a.md"].attributes == {"field": value}


def test_aliases_and_tags_are_the_texts_they_are_written_as(tmp_path: Path) -> None:
    front = "aliases: [12.10, 0x1f, 2026-03-01T10:00, True, ~]\ntags:\n- 1.10\n- 2026-03-01\n"
    note = entities(read(tmp_path, {"a.md": f"---\n{front}---\n"}))["a.md"]
    assert note.aliases == ("12.10", "0x1f", "2026-03-01T10:00", "True")
    assert note.tags == ("1.10", "2026-03-01")


def test_an_emoji_may_be_written_as_json_has_it(tmp_path: Path) -> None:
    front = 'title: "\\ud83d\\ude80 ab"\ntags: ["\\ud83d\\ude80"]\nmood: "é\\ud83d\\ude80"\n'
    rows = read(tmp_path, {"a.md": f"---\n{front}---\n", "b.md": '---\na: "\\ude80\\ud83d"\n---\n'})
    note = entities(rows)["a.md"]
    assert (note.title, note.tags, note.attributes) == ("🚀 ab", ("🚀",), {"mood": "é🚀"})
    assert "must be valid Unicode" in str(refusals(rows)["b.md"])


def test_what_is_no_label_becomes_an_attribute(tmp_path: Path) -> None:
    front = "source: [a, b]\nstatus: done\ncategory:\n"
    entity = entities(read(tmp_path, {"a.md": f"---\n{front}---\n"}))["a.md"]
    assert entity.attributes == {"source_": ["a", "b"]}
    assert (entity.source, entity.status, entity.category) == ("a.md", "done", None)


# Imports


@pytest.mark.usefixtures("environment")
def test_a_vault_is_imported_without_refusals_and_the_second_time_unchanged(
    memory: Memory,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(session, "embedder", lambda *_, **__: FakeEmbedder())
    links = "[[guides/README]] [[Fog]] ![[plan.png]] [b](guides/Berth%20booking.md) [[fog]] [[Ice]]"
    write(tmp_path, dict.fromkeys(VAULT, "Text.") | {"Home.md": links})
    command = ("import", "markdown", str(tmp_path), "--project", str(memory.project))
    assert cli.main([*command]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "Note: 2 links lead to notes that do not exist: 'Fog', 'Ice'." in told
    assert {link.name for link in memory.get("Home")[0].neighbours} == {
        "guides/README", "Berth booking",
    }  # fmt: skip
    assert cli.main([*command]) == 0
    assert "entities: 7 unchanged; relations: 2 unchanged" in capsys.readouterr().out


def test_a_dry_run_counts_the_same_links(memory: Memory, tmp_path: Path) -> None:
    write(tmp_path, {"a.md": "[[b]] [[c]]", "b.md": "Text."})
    report = memory.import_("markdown", tmp_path, dry_run=True)
    assert report.notes == ("1 link leads to a note that does not exist: 'c'",)
    assert memory.import_("markdown", tmp_path).notes[:1] == report.notes


def test_of_many_missing_notes_the_first_are_named(memory: Memory, tmp_path: Path) -> None:
    content = " ".join(f"[[n{number}]]" for number in range(7))
    report = memory.import_("markdown", write(tmp_path, {"a.md": content}))
    (note,) = report.notes
    assert note == "7 links lead to notes that do not exist: 'n0', 'n1', 'n2', 'n3', 'n4', …"
    assert not report.refused


def test_a_link_leads_to_a_note_that_is_written_later_and_goes_with_its_words(
    memory: Memory, tmp_path: Path
) -> None:
    write(tmp_path, {"a.md": "[[b]]"})
    memory.import_("markdown", tmp_path)
    write(tmp_path, {"b.md": "Text."})
    assert memory.import_("markdown", tmp_path).relations["created"] == 1
    write(tmp_path, {"a.md": "Text."})
    assert memory.import_("markdown", tmp_path).relations["removed"] == 1
    (tmp_path / "b.md").unlink()
    assert memory.import_("markdown", tmp_path).entities["removed"] == 1


def test_a_relation_of_the_front_matter_to_nothing_is_refused(
    memory: Memory, tmp_path: Path
) -> None:
    write(tmp_path, {"a.md": "---\nrelations: [{relation: NEEDS, to: b}]\n---\n[[b]]"})
    report = memory.import_("markdown", tmp_path)
    assert [item.name for item in report.refused] == ["a -[NEEDS]-> b"]
    assert report.notes == ()


def test_a_relation_of_the_front_matter_may_lead_to_a_link(memory: Memory, tmp_path: Path) -> None:
    relations = (
        'relations: [{relation: NEEDS, to: "[[guides/tides|the guide]]"}, '
        '{relation: USES, to: [[b]]}, {relation: READS, to: "[[Made elsewhere]]"}]'
    )
    memory.remember([{"name": "Made elsewhere"}])
    write(
        tmp_path,
        {
            "a.md": f"---\n{relations}\n---\n",
            "b.md": "",
            "guides/tides.md": "---\nname: Tide tables\n---\n",
        },
    )
    assert not memory.import_("markdown", tmp_path).refused
    links = {(link.relation, link.name) for link in memory.get("a")[0].neighbours}
    assert links == {("NEEDS", "Tide tables"), ("USES", "b"), ("READS", "Made elsewhere")}


def test_a_link_to_an_alias_or_to_what_another_wrote_is_made(
    memory: Memory, tmp_path: Path
) -> None:
    memory.remember([{"name": "Session store"}])
    write(tmp_path, {"a.md": "[[Mole]] [[session store]]", "b.md": "---\naliases: Mole\n---\n"})
    report = memory.import_("markdown", tmp_path)
    assert (report.refused, report.notes) == ((), ())
    assert {link.name for link in memory.get("a")[0].neighbours} == {"b", "Session store"}


def test_a_link_that_may_mean_several_notes_is_refused(memory: Memory, tmp_path: Path) -> None:
    alias = "---\naliases: Mole\n---\n"
    write(tmp_path, {"a.md": "[[Mole]]", "b.md": alias, "c.md": alias})
    (item,) = memory.import_("markdown", tmp_path).refused
    assert item.name == "a -[MENTIONS]-> Mole"


def test_a_note_that_moves_into_the_front_gets_the_name(memory: Memory, tmp_path: Path) -> None:
    write(tmp_path, {"a/README.md": "Of a.", "b/README.md": "Of b."})
    memory.import_("markdown", tmp_path)
    write(tmp_path, {"README.md": "Of all."})
    memory.import_("markdown", tmp_path)
    names = ("README", "a/README", "b/README")
    assert [memory.get(name)[0].entity.text for name in names] == ["Of all.", "Of a.", "Of b."]


def test_an_empty_path_is_not_the_current_folder(memory: Memory) -> None:
    with pytest.raises(InvalidInput, match=r"^path must name a file or folder"):
        memory.import_("markdown", "")


def test_a_refused_relation_keeps_no_deleted_note_and_a_refused_note_says_that_it_does(
    memory: Memory, tmp_path: Path
) -> None:
    notes = {"one.md": "One.", "two.md": "Two.", "three.md": "---\nrelations:\n - {to: one}\n---\n"}
    for name, content in notes.items():
        (tmp_path / name).write_text(content)
    memory.import_("markdown", tmp_path)
    (tmp_path / "two.md").unlink()
    (tmp_path / "four.md").write_text("---\nconfidence: high\n---\nFour.")
    report = memory.import_("markdown", tmp_path)
    assert report.counts("entity")["removed"] == 0
    (note,) = report.notes
    assert note.startswith("1 entity that the source may no longer have stayed, since a part of it")
    (tmp_path / "four.md").unlink()
    report = memory.import_("markdown", tmp_path)
    assert [item.name for item in report.items if item.outcome == "removed"] == ["two"]
    assert report.notes == ()


def test_a_note_that_cannot_be_read_keeps_itself_and_no_deleted_note(
    memory: Memory, tmp_path: Path
) -> None:
    write(tmp_path, {"one.md": "One is at [[three]].", "two.md": "Two.", "three.md": "Three."})
    memory.import_("markdown", tmp_path)
    (tmp_path / "one.md").write_bytes("Café.".encode("latin-1"))
    (tmp_path / "two.md").unlink()
    report = memory.import_("markdown", tmp_path)
    assert [item.name for item in report.items if item.outcome == "removed"] == ["two"]
    assert report.notes[0].startswith("1 entity that the source may no longer have stayed")
    assert [link.name for link in memory.get("one")[0].neighbours] == ["three"]


def test_a_note_that_is_renamed_and_cannot_be_read_stays(memory: Memory, tmp_path: Path) -> None:
    write(tmp_path, {"one.md": "One.", "two.md": "Two."})
    memory.import_("markdown", tmp_path)
    (tmp_path / "one.md").rename(tmp_path / "first.md").write_bytes(b"\xe9")
    (tmp_path / "two.md").unlink()
    assert memory.import_("markdown", tmp_path).counts("entity")["removed"] == 0


def test_a_link_out_of_the_folder_keeps_what_came_from_there_alone(
    memory: Memory, tmp_path: Path
) -> None:
    notes = {"one.md": "One.", "two.md": "Two.", "shared/tides.md": "Tides."}
    write(tmp_path / "vault", notes)
    memory.import_("markdown", tmp_path / "vault")
    (tmp_path / "vault" / "shared").rename(tmp_path / "shared")
    (tmp_path / "vault" / "shared").symlink_to(tmp_path / "shared")
    (tmp_path / "vault" / "two.md").unlink()
    report = memory.import_("markdown", tmp_path / "vault")
    assert [item.name for item in report.items if item.outcome == "removed"] == ["two"]
    assert memory.get("tides")[0].status == "active"


def test_a_link_that_is_taken_out_goes_while_another_note_cannot_be_read(
    memory: Memory, tmp_path: Path
) -> None:
    lead = "---\nrelations:\n- {relation: NEAR, to: three}\n---\n"
    write(
        tmp_path,
        {
            "one.md": f"{lead}At [[two]], [[three]] and [[four]].", "two.md": "Two.",
            "three.md": "Three.", "four.md": "Four.",
        },
    )  # fmt: skip
    memory.import_("markdown", tmp_path)
    (tmp_path / "one.md").write_text(f"{lead}At [[four]].")
    (tmp_path / "four.md").write_bytes(b"\xe9")
    memory.import_("markdown", tmp_path)
    links = {(link.relation, link.name) for link in memory.get("one")[0].neighbours}
    assert links == {("NEAR", "three"), ("MENTIONS", "four")}


def test_what_an_unread_note_says_of_what_replaces_it_stays(memory: Memory, tmp_path: Path) -> None:
    old = "---\nsuperseded_by: new\nsupersedes: older\n---\nOld."
    write(tmp_path, {"new.md": "New.", "old.md": old, "older.md": "Older."})
    memory.import_("markdown", tmp_path)
    before = {(link.relation, link.name) for link in memory.get("new")[0].neighbours}
    assert before == {("SUPERSEDES", "old"), ("SUPERSEDES", "older")}
    (tmp_path / "old.md").write_bytes(b"\xe9")
    memory.import_("markdown", tmp_path)
    assert {(link.relation, link.name) for link in memory.get("new")[0].neighbours} == before


@pytest.mark.parametrize(
    "relations", ["relations:\n- {relation: NEAR, to: two, weight: heavy}", "relations: two"]
)
def test_a_relation_that_is_refused_takes_no_earlier_one_away(
    memory: Memory, tmp_path: Path, relations: str
) -> None:
    near = "---\nrelations:\n- {relation: NEAR, to: two, weight: 0.5}\n---\n"
    write(tmp_path, {"one.md": f"{near}One.", "two.md": "Two at [[three]].", "three.md": "Three."})
    memory.import_("markdown", tmp_path)
    memory.rename("one", "first")
    write(tmp_path, {"one.md": f"---\n{relations}\n---\nOne.", "two.md": "Two."})
    assert len(memory.import_("markdown", tmp_path).refused) == 1
    (link,) = memory.get("first")[0].neighbours
    assert (link.relation, link.name, link.weight) == ("NEAR", "two", 0.5)
    assert [link.name for link in memory.get("two")[0].neighbours] == ["first"]


def test_a_relation_to_a_note_that_was_renamed_is_named(memory: Memory, tmp_path: Path) -> None:
    near = "---\nrelations:\n- {relation: NEAR, to: two}\n---\nOne."
    write(tmp_path, {"one.md": near, "two.md": "Two."})
    assert memory.import_("markdown", tmp_path).notes == ()
    (tmp_path / "two.md").rename(tmp_path / "second.md")
    said = (
        "1 relation leads to what is gone from its source, and searches leave it out: "
        "one -[NEAR]-> two. Where it has another name now, write that"
    )
    assert memory.import_("markdown", tmp_path).notes == (said,)
    assert memory.import_("markdown", tmp_path).notes == (said,)
    (tmp_path / "one.md").write_text(near.replace("two", "second"))
    assert memory.import_("markdown", tmp_path).notes == ()
