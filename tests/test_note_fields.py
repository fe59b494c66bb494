"""Front matter of Markdown notes in YAML, TOML and JSON."""

from pathlib import Path

import pytest

from graphmem.model import Entity, Item, Relation
from graphmem.transfer import FORMATS

TOML = """+++
title = "Tide feed"
date = 2026-03-01
tags = ["harbour", "tides"]
weight = 10
draft = true
updated = 2026-03-02T10:00:00Z
at = 12:30:00
[params]
owner = "ops"
+++

The feed of [[Tides]].
"""
JSON = """{
  "title": "Tide feed",
  "date": "2026-03-01",
  "tags": ["harbour", "tides"],
  "draft": true,
  "share": null,
  "params": {"owner": "ops"}
}

The feed of [[Tides]].
"""


def rows(tmp_path: Path, content: str) -> list[object]:
    (tmp_path / "feed.md").write_text(content, encoding="utf-8")
    return [row.value for row in FORMATS["markdown"].read(tmp_path / "feed.md")]


def note(tmp_path: Path, content: str) -> Entity:
    entity = rows(tmp_path, content)[0]
    assert isinstance(entity, Entity)
    return entity


@pytest.mark.parametrize("content", [TOML, f"\ufeff\n{TOML}", JSON])
def test_toml_and_json_are_read_like_yaml(tmp_path: Path, content: str) -> None:
    entity = note(tmp_path, content)
    assert (entity.title, entity.tags) == ("Tide feed", ("harbour", "tides"))
    assert str(entity.created_at) == "2026-03-01 00:00:00+00:00"
    assert entity.text == "The feed of [[Tides]]."
    assert entity.attributes["draft"] is True
    assert entity.attributes["params"] == '{"owner": "ops"}'
    assert "share" not in entity.attributes


def test_what_toml_alone_has_becomes_an_attribute(tmp_path: Path) -> None:
    attributes = note(tmp_path, TOML).attributes
    assert (attributes["weight"], attributes["at"]) == (10, "12:30:00")
    assert str(attributes["updated"]) == "2026-03-02 10:00:00+00:00"
    big = note(tmp_path, f"+++\nname = 7\ncount = {'9' * 20}\n+++\n")
    assert (big.name, big.attributes["count"]) == ("7", "9" * 20)


def test_a_name_in_toml_or_json_is_found_by_links(tmp_path: Path) -> None:
    (tmp_path / "one.md").write_text('+++\nname = "One"\n+++\n[[two]] [[three]]')
    (tmp_path / "two.md").write_text('{"name": "Second"}\n')
    values = [row.value for row in FORMATS["markdown"].read(tmp_path)]
    assert [value.end for value in values if isinstance(value, Relation)] == ["Second", "three"]


def test_alias_and_tag_are_aliases_and_tags(tmp_path: Path) -> None:
    entity = note(tmp_path, "---\nalias: Mole\ntag: [a, 'b c']\n---\n")
    assert (entity.aliases, entity.tags, entity.attributes) == (("Mole",), ("a", "b c"), {})
    entity = note(tmp_path, "---\ntag: x, y\nalias: Quay\naliases: [Mole]\n---\n")
    assert (entity.aliases, entity.tags, entity.attributes) == (
        ("Mole",), ("x", "y"), {"alias": "Quay"},
    )  # fmt: skip


def test_yaml_may_end_with_dots(tmp_path: Path) -> None:
    entity = note(tmp_path, "---\ntitle: Tide feed\n...\nA rule:\n\n---\n\nMore.")
    assert (entity.title, entity.text) == ("Tide feed", "A rule:\n\n---\n\nMore.")


@pytest.mark.parametrize(
    "content",
    [
        "...\ntitle: x\n...\n",
        "{{ template }}\nText.",
        "{% include x %}\nText.",
        '{"a": 1} and more on its line',
        '{"a": \nbroken',
        "{}\nText.",
        "[1, 2]\nText.",
        "+++ Summary\nText.\n+++",
        '+++\ntitle = "without an end"\n',
        "{" * 100_000,
    ],
)
def test_what_is_no_front_matter_is_text(tmp_path: Path, content: str) -> None:
    entity = note(tmp_path, content)
    assert (entity.text, entity.title, entity.attributes) == (content.strip(), None, {})


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ('+++\na = 1\n\nb = "x\n+++\n', "not TOML: Illegal character '\\n' (line 4)"),
        ("+++\na = 1\na = 2\n+++\n", "Cannot overwrite a value (line 3)"),
        (f"+++\na = {'9' * 5000}\n+++\n", "not TOML: Exceeds the limit"),
        (f"+++\na = 0x{'9' * 9000}\n+++\n", "Exceeds the limit"),
        (f"+++\n{'a.' * 6000}b = 1\n+++\n", "at most 10,000 characters (line 2)"),
        (f"+++\n{'a.' * 200}b = 1\n+++\n", "deeper than 100 levels"),
        (f"+++\na = {'[' * 4000}\n+++\n", "deeper than 100 levels"),
        (f"+++\n{'a' * 9000} = 1\n+++\n", "name"),
        (f'{{"a": {"[" * 200}{"]" * 200}}}\n', "deeper than 100 levels"),
        (f'{{"a": "{"x" * 300_000}"}}\n', "more than 262,144 characters"),
        ('{"confidence": "high"}\n', "confidence must be"),
    ],
)
def test_what_cannot_be_used_is_refused_with_the_reason(
    tmp_path: Path, content: str, reason: str
) -> None:
    (item,) = rows(tmp_path, content)
    assert isinstance(item, Item)
    assert reason in str(item.reason)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (
            "---\nkind: Service\nowner: ops\n\nBerths.",
            "front matter: the line `---` that ends it is missing",
        ),
        (
            "<<<<<<< HEAD\n---\nkind: Service\n---\nBerths.\n=======\nPiers.\n>>>>>>> main\n",
            "it has an unresolved conflict of git (line 1)",
        ),
        (
            "---\nname: Berths\n<<<<<<< HEAD\nkind: A\n=======\nkind: B\n>>>>>>> main\n---\nText.",
            "it has an unresolved conflict of git (line 3)",
        ),
        (
            "---\nkind: A\n---\nTides.\n<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> main\n",
            "it has an unresolved conflict of git (line 5)",
        ),
        (
            "Tides.\n\n<<<<<<< HEAD\nours\n||||||| base\nold\n=======\ntheirs\n>>>>>>> main",
            "it has an unresolved conflict of git (line 3)",
        ),
    ],
)
def test_an_unfinished_note_is_refused(tmp_path: Path, content: str, reason: str) -> None:
    (item,) = rows(tmp_path, content)
    assert isinstance(item, Item)
    assert item.reason == reason


@pytest.mark.parametrize(
    "content",
    [
        "---\n\nkind: it begins with a rule",
        "---\nTide: a text below a rule.",
        "---",
        "Text.\n\n```text\n<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> main\n```",
        "Text.\n\n    <<<<<<< HEAD\n    ours\n    =======\n    theirs\n    >>>>>>> main",
        "git writes `<<<<<<< HEAD` above\n=======\nours, and `>>>>>>> main` below.",
        "<<<<<<<\nours\n=======\ntheirs\n>>>>>>> main",
        "Text.\n\n<<<<<<< HEAD\nours\n======= theirs\n>>>>>>> main",
    ],
)
def test_a_text_that_looks_unfinished_is_a_text(tmp_path: Path, content: str) -> None:
    assert note(tmp_path, content).text == content
