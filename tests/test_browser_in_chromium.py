"""Neo4j Browser as a person sees it: logged in, the saved queries run, everything in its colour."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from chromium import Chromium, needs_chromium
from doc_pages import page
from fakes import FakeEmbedder
from graphmem import neo4j_process
from graphmem.memory import Memory
from graphmem.neo4j_process import browsing
from graphmem.neo4j_process.home import browser_style
from graphmem.neo4j_process.home.browser_style import COLOURS, USUAL_KINDS
from graphmem.neo4j_process.home.paths import Home
from graphmem.settings import Settings
from neo4j_browser import STILL, BrowserPage, logged_in
from neo4j_servers import fresh_home, small

pytestmark = [needs_chromium, pytest.mark.live]

ROOT = Path(__file__).parents[1]
PAGE = page("browser")
QUERIES = re.findall(r"^([A-Z][^\n]*)\n\n```cypher\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
PICTURES = {"Everything about one entity", "Two paths", "One project", "Links out of texts"}
PROJECT = "graphmem-demo"
HOSTILE = ["Моё дело", "a.b", "it's", "semi;colon", 'quo"te', "back`tick", "🦊", "C:style", "{x}"]


@pytest.fixture(scope="module")
def settings() -> Iterator[Settings]:
    """A private server with the sample."""
    with fresh_home() as home:
        own = small(home, query_seconds=120)
        with opened(own) as memory:
            memory.import_("markdown", ROOT / "examples" / "sample")
            memory.remember([{"name": "Loose end", "kind": "Decision"}])
        yield own


def opened(settings: Settings) -> Memory:
    return Memory.open(project=PROJECT, config=settings, embedder=FakeEmbedder())


@pytest.fixture(scope="module")
def browser(settings: Settings) -> Iterator[BrowserPage]:
    """The page after the login, on which nothing stands that nobody asked for."""
    with Chromium() as chromium, logged_in(chromium, settings) as page:
        yield page


def colour_of(kind: str) -> str:
    return COLOURS[USUAL_KINDS.index(kind)][0]


@pytest.mark.parametrize(("title", "query"), QUERIES, ids=[title[:20] for title, _ in QUERIES])
def test_a_saved_query_runs_and_what_it_draws_is_styled(
    browser: BrowserPage, tmp_path: Path, title: str, query: str
) -> None:
    words = browser.run(query)
    assert "ERROR" not in words
    drawn = browser.nodes()
    assert bool(drawn) == any(title.startswith(picture) for picture in PICTURES)
    if drawn:
        browser.page.evaluate(STILL)
        assert "Entity (" in words
        assert all(node["text"].strip() for node in drawn if node["radius"] > 20)
        assert {node["colour"] for node in drawn} <= {colour for colour, _, _ in COLOURS} | {
            browser_style.PASSAGE_COLOUR
        }
    browser.page.screenshot(tmp_path / "page.png")
    assert (tmp_path / "page.png").stat().st_size > 10_000


def test_kinds_have_colours_passages_are_small_and_arrows_show_notes(browser: BrowserPage) -> None:
    browser.run(QUERIES[0][1])
    drawn = {node["text"].strip(): node for node in browser.nodes()}
    assert drawn["Redis cache"]["colour"] == colour_of("Decision")
    assert drawn["Vera Orlova"]["colour"] == colour_of("Person")
    passage = drawn[""]
    assert passage["colour"] == browser_style.PASSAGE_COLOUR
    assert passage["radius"] * 2 < drawn["Redis cache"]["radius"]
    arrows = [arrow.strip() for arrow in browser.arrows()]
    assert "COVERS" in arrows
    # A short arrow has room for a part of its type only.
    assert any(re.match(r"[A-Z_]+ [a-z]", arrow) for arrow in arrows), arrows


def test_the_web_browser_keeps_the_password_until_it_is_told_to_disconnect(
    settings: Settings,
) -> None:
    keeps = f"JSON.stringify(localStorage).includes({json.dumps(browsing.read_password(settings))})"
    with Chromium() as chromium, logged_in(chromium, settings) as browser:
        browser.page.wait(keeps)
        browser.page.click("[data-testid=activeEditor]")
        browser.page.type(":server disconnect")
        browser.page.click("[data-testid=editor-Run]")
        browser.page.wait(f"!{keeps}")


def test_kinds_of_any_name_get_their_colours_at_the_next_start(settings: Settings) -> None:
    named = [f"Of kind {number}" for number in range(len(HOSTILE))]
    with opened(settings) as memory:
        memory.remember([{"name": n, "kind": kind} for n, kind in zip(named, HOSTILE, strict=True)])
    assert not browsing.restyle(settings, HOSTILE, [])
    neo4j_process.stop(settings)
    neo4j_process.ensure_running(settings)
    assert browsing.restyle(settings, HOSTILE, [])
    with Chromium() as chromium, logged_in(chromium, settings) as page:
        page.run("MATCH (entity:Entity) WHERE entity.name STARTS WITH 'Of kind' RETURN entity")
        drawn = {" ".join(node["text"].split()): node["colour"] for node in page.nodes()}
    kinds = browser_style.read(Home(settings.home)).kinds
    assert drawn == {n: COLOURS[kinds[kind]][0] for n, kind in zip(named, HOSTILE, strict=True)}
