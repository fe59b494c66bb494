"""The colours and captions by which Neo4j Browser tells kinds apart, and their setting."""

import json
from pathlib import Path

import pytest

from graphmem.neo4j_process import browsing
from graphmem.neo4j_process.home import browser_style
from graphmem.neo4j_process.home.browser_style import (
    COLOURS,
    MOST_COLOURED_KINDS,
    USUAL_KINDS,
    BrowserStyle,
)
from graphmem.neo4j_process.home.configuration import configuration
from graphmem.neo4j_process.home.paths import Home
from graphmem.neo4j_process.home.state import Ports
from graphmem.neo4j_process.machine.java import Java
from graphmem.neo4j_process.running.launch import Launch
from neo4j_servers import small

HOSTILE = ["Моё дело", "a.b", "it's", "semi;colon", 'quo"te', "back`tick", "🦊", "C:style", "{x}"]


@pytest.fixture
def home(tmp_path: Path) -> Home:
    (tmp_path / "conf").mkdir()
    return Home(tmp_path)


def started(home: Home) -> str:
    """What the setting says to a server that starts now, read as Java reads properties."""
    java, nowhere = Java(home.root, 25, has_vectors=True), home.root
    text = configuration(Launch(home, java, nowhere, nowhere, "256m", "64m", 1, 1), Ports(1, 2))
    home.configuration.write_text(text, encoding="utf-8")
    (line,) = [one for one in text.splitlines() if one.startswith(browser_style.SETTING)]
    assert line.isascii()
    value = line.partition("=")[2].replace("\\\\", "\\u005c")
    return json.loads(f'"{value.replace(chr(34), chr(92) + chr(34))}"')  # type: ignore[no-any-return]


def rules_of(commands: str) -> dict[str, dict[str, str]]:
    assert commands.endswith("; clear")
    assert (commands.count(";"), commands.count(":style")) == (1, 0)
    return json.loads(commands.removeprefix("style ").removesuffix("; clear"))  # type: ignore[no-any-return]


def test_a_kind_keeps_its_colour_whatever_else_comes_and_goes() -> None:
    first = BrowserStyle().for_store(["Boat", "Harbour", "Decision"], [])
    second = first.for_store(["Pier", "Decision", "Boat"], [])
    assert second.kinds["Boat"] == first.kinds["Boat"]
    assert second.kinds["Decision"] == first.kinds["Decision"] == USUAL_KINDS.index("Decision")
    assert "Harbour" not in second.kinds


def test_kinds_share_a_colour_only_where_there_are_more_of_them_than_colours() -> None:
    kinds = [f"Kind {number}" for number in range(3 * MOST_COLOURED_KINDS)]
    few = BrowserStyle().for_store(kinds[: len(COLOURS)], [])
    assert len(set(few.kinds.values())) == len(COLOURS)
    many = few.for_store(kinds, kinds)
    assert list(many.kinds) == kinds[:MOST_COLOURED_KINDS]
    assert many.kinds.items() >= few.kinds.items()
    counts = [list(many.kinds.values()).count(number) for number in range(len(COLOURS))]
    assert max(counts) - min(counts) <= 1


def test_what_is_drawn_has_names_notes_and_small_passages() -> None:
    rules = BrowserStyle().for_store(["Boat"], ["MOORS_AT"]).rules()
    assert rules["node.Entity"]["caption"] == "{name}"
    assert rules["relationship"]["caption"] == "<type>"
    assert rules["relationship.MOORS_AT"] == {"caption": "MOORS_AT {note}"}
    small, large = (int(rules[one]["diameter"][:-2]) for one in ("node.Passage", "node.Entity"))
    assert small * 2 < large
    assert rules["node.Boat"]["color"] == COLOURS[0][0]
    assert list(rules).index("node.Entity") < list(rules).index("node.Boat")


def test_the_setting_holds_any_name_of_a_kind(home: Home) -> None:
    browser_style.write(home, BrowserStyle().for_store(HOSTILE, HOSTILE))
    rules = rules_of(started(home))
    assert rules == browser_style.read(home).rules()
    assert "node.a\\.b" in rules
    assert browser_style.is_configured(home)


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "5", '{"kinds": []}', '{"kinds": {"a": "b"}, "types": []}', "\ud800"]
)
def test_a_file_that_cannot_be_read_is_the_usual_style(home: Home, text: str) -> None:
    (home.root / "browser.json").write_text(text, encoding="utf-8", errors="surrogatepass")
    assert browser_style.read(home) == BrowserStyle()
    assert rules_of(started(home)) == BrowserStyle().rules()


def test_new_kinds_are_drawn_from_the_next_start_on(home: Home) -> None:
    started(home)
    settings = small(home.root)
    assert browsing.restyle(settings, [], [])
    assert not browsing.restyle(settings, ["Boat", "Decision"], ["MOORS_AT"])
    assert not browsing.restyle(settings, ["Decision", "Boat"], ["MOORS_AT"])
    started(home)
    assert browsing.restyle(settings, ["Decision", "Boat"], ["MOORS_AT"])
