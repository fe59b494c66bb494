"""The page in a real Chromium: what a person sees, clicks, types and hears."""

import re
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest

from chromium import Chromium, Page, Theme, needs_chromium
from graphmem import view
from graphmem.model import Entity
from graphmem.view import Picture, ShownRelation, html
from graphmem.view.page import json_for_script
from neo4j_servers import until
from sample_pictures import HOSTILE, hostile_picture, made_picture

pytestmark = needs_chromium

OpenPage = Callable[..., Page]

SHOWN = "[...document.querySelectorAll('#list li:not([hidden]) button')]"
NAMES = f"{SHOWN}.map((one) => one.querySelector('[dir]').textContent)"
DETAILS = "document.querySelector('#details').innerText"
# The place of a node in the window.
PLACE = """(() => { const at = graphmem.drawing.place(graphmem.picture.nodes[%d]);
  const box = document.querySelector('#canvas').getBoundingClientRect();
  return [box.x + at.x, box.y + at.y]; })()"""
# What stands on each line of an element.
LINES = """(() => { const lines = new Map(), range = document.createRange();
  const texts = document.createTreeWalker(document.querySelector('%s'), NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) [...texts.currentNode.data].forEach((letter, at) => {
    range.setStart(texts.currentNode, at);
    range.setEnd(texts.currentNode, at + 1);
    const { top } = range.getBoundingClientRect();
    lines.set(top, (lines.get(top) ?? '') + letter);
  });
  return [...lines.values()]; })()"""
# Whether the first drawing has given it one.
PLACED = "Number.isFinite(graphmem.drawing.place(graphmem.picture.nodes[%d]).x)"
# As many colours as the picture shows; one alone is an empty picture.
COLOURS = """(() => { const canvas = document.querySelector('#canvas canvas');
  const pixels = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
  const seen = new Set();
  for (let at = 0; at < pixels.length; at += 4) {
    if (pixels[at + 3] > 200) seen.add(pixels.slice(at, at + 3).join());
  }
  return seen.size; })()"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Chromium]:
    with Chromium() as browser:
        yield browser


@pytest.fixture
def open_page(browser: Chromium, tmp_path: Path) -> Iterator[OpenPage]:
    """Opens the page of a picture that stands still; nothing may fail in it or ask a network."""
    opened: list[tuple[Page, str]] = []
    with ExitStack() as pages:

        def open_page(picture: Picture, *, theme: Theme = "light", width: int = 1280) -> Page:
            path = tmp_path / f"{len(opened)}.html"
            path.write_text(html(picture), encoding="utf-8")
            page = pages.enter_context(browser.page(width=width))
            page.set_theme(theme, reduced_motion=True)
            page.go(path.as_uri())
            opened.append((page, path.as_uri()))
            return page

        yield open_page
        for page, address in opened:
            assert page.errors == []
            assert page.requests == [address]


# What is seen and clicked


def test_the_list_has_every_entity_in_order(open_page: OpenPage) -> None:
    page = open_page(made_picture(12, 20))

    assert page.evaluate(NAMES) == [f"{number + 1}. Entity {number}" for number in range(12)]
    assert page.evaluate("document.title") == "expired certificate · graphmem"
    assert page.evaluate("document.querySelector('h1').textContent") == "expired certificate"
    assert page.evaluate("document.querySelector('#summary').textContent") == (
        "12 hits and 20 relations in p"
    )


def test_a_choice_in_the_list_shows_text_score_and_relations(open_page: OpenPage) -> None:
    page = open_page(made_picture(12, 20))
    page.click("[data-key='p#2']")

    shown = page.evaluate(DETAILS)
    assert shown.startswith("3. Entity 2\n")
    assert "Service · found by a link" in shown
    assert re.search(r"link\s+0\.58\s+score\s+0\.583", shown)
    assert "The text of entity 2." in shown
    assert "DEPENDS_ON → Entity 3" in re.sub(r"\s+", " ", shown)
    assert page.evaluate("document.querySelector('[aria-current=true]').dataset.key") == "p#2"


@pytest.mark.parametrize("place", ["#list .name", "#details h2", "#details .goto"])
def test_names_of_code_are_broken_after_what_divides_them(open_page: OpenPage, place: str) -> None:
    picture = made_picture(2, 1)
    name = "graphmem/transfer/code/modules.py::Modules.resolved_by_the_manifest::python_module"
    nodes = tuple(replace(node, name=name) for node in picture.nodes)
    page = open_page(replace(picture, nodes=nodes))
    page.click("[data-key='p#0']")

    lines = page.evaluate(LINES % place)
    assert len(lines) > 1
    assert "".join(lines).endswith(name)
    assert {line.endswith(("/", "::", "_")) for line in lines[:-1]} == {True}, lines


def test_a_relation_in_the_details_leads_to_its_other_end(open_page: OpenPage) -> None:
    page = open_page(made_picture(12, 20))
    page.click("[data-key='p#2']")
    page.click("#details .goto")

    assert page.evaluate("graphmem.view.chosen.key") != "p#2"
    chosen = page.evaluate("graphmem.view.chosen.name")
    assert f" {chosen}\n" in page.evaluate(DETAILS)


def test_a_click_on_a_circle_chooses_it_and_one_beside_it_none(open_page: OpenPage) -> None:
    page = open_page(made_picture(6, 5))
    page.wait(f"{COLOURS} > 5")
    for place in (4, 0):
        at = page.evaluate(PLACE % place)
        page.move_to(*at)
        page.wait(f"graphmem.view.pointed?.key === 'p#{place}'")
        page.click_at(*at)
        page.wait(f"graphmem.view.chosen?.key === 'p#{place}'")
        assert page.evaluate(DETAILS).startswith(f"{place + 1}. Entity {place}\n")

    page.move_to(320, 90)
    page.wait("graphmem.view.pointed === null")
    page.click_at(320, 90)
    page.wait("graphmem.view.chosen === null")
    assert "Choose an entity" in page.evaluate(DETAILS)


def test_a_click_on_a_line_shows_what_it_says(open_page: OpenPage) -> None:
    page = open_page(made_picture(2, 1))
    page.wait(PLACED % 1)
    (ax, ay), (bx, by) = page.evaluate(PLACE % 0), page.evaluate(PLACE % 1)
    page.move_to((ax + bx) / 2, (ay + by) / 2)
    page.wait("document.querySelector('#canvas').style.cursor === 'pointer'")
    page.click_at((ax + bx) / 2, (ay + by) / 2)
    page.wait(f"{DETAILS}.startsWith('DEPENDS_ON')")

    shown = " ".join(page.evaluate(DETAILS).split())
    assert shown == ("DEPENDS_ON From Entity 0 to Entity 1 weight 1 · gave Entity 1 evidence 0.30")


def test_a_search_leaves_what_holds_the_words_and_marks_them(open_page: OpenPage) -> None:
    page = open_page(made_picture(12, 20))
    page.click("#search")
    page.type("TEXT of entity 1")

    assert page.evaluate(NAMES) == ["2. Entity 1", "11. Entity 10", "12. Entity 11"]
    assert page.evaluate("document.querySelector('#status').textContent") == (
        "3 of 12 entities shown"
    )
    page.key("Enter")
    assert page.evaluate("document.querySelector('#details mark').textContent") == (
        "text of entity 1"
    )
    page.key("Escape")
    assert len(page.evaluate(NAMES)) == 12


def test_the_legend_hides_a_kind(open_page: OpenPage) -> None:
    page = open_page(made_picture(10, 20))
    assert page.evaluate("document.querySelector('#kinds').innerText").split()[:2] == [
        "Decision", "2",
    ]  # fmt: skip
    page.click("#kinds input")

    assert len(page.evaluate(NAMES)) == 8
    assert page.evaluate("document.querySelector('#status').textContent").startswith("8 of 10")
    page.click("#kinds input")
    assert len(page.evaluate(NAMES)) == 10


def test_an_entity_stands_chosen_with_its_neighbours(open_page: OpenPage) -> None:
    near = [
        Entity(f"N{n}", kind="Note", key=f"p#n{n}", project="p", status="active") for n in range(3)
    ]
    centre = Entity("Redis", kind="Service", key="p#r", project="p", status="active", text="Fast.")
    related = [ShownRelation("p#r", neighbour.key or "", "HAS", 0.5) for neighbour in near]
    neighbours = [view.entity_node(neighbour, "neighbour") for neighbour in near]
    redis = view.entity_node(centre, "centre")
    page = open_page(view.of_entity(redis, neighbours, related, total=9, notes=("3 of 9 shown",)))

    assert page.evaluate(DETAILS).split("\n")[:3] == ["Redis", "", "Service · asked for"]
    assert page.evaluate("document.querySelector('#summary').textContent") == (
        "3 neighbours and 3 relations in p"
    )
    assert page.evaluate("document.querySelector('#notes').innerText") == "Note: 3 of 9 shown"


def test_nothing_to_show_is_reported(open_page: OpenPage) -> None:
    page = open_page(made_picture(0, 0))

    assert page.evaluate(DETAILS).startswith("There is nothing to show.")


def test_long_names_that_begin_alike_show_where_they_differ(open_page: OpenPage) -> None:
    picture = made_picture(4, 0)
    names = ["Redis", "a/b/c/d/e/f/g/handlers/index.py::open_door",
             "a/b/c/d/e/f/g/handlers/index.py::shut_door", "\U0001f511" * 40]  # fmt: skip
    nodes = tuple(replace(node, name=name) for node, name in zip(picture.nodes, names, strict=True))
    page = open_page(replace(picture, nodes=nodes))

    assert page.evaluate("graphmem.picture.nodes.map(graphmem.drawing.label)") == [
        "Redis", "a/b/c/d/e/f…rs/index.py::open_door", "a/b/c/d/e/f…rs/index.py::shut_door",
        "\U0001f511" * 33 + "…",
    ]  # fmt: skip


def test_a_large_picture_is_drawn_and_moves(open_page: OpenPage) -> None:
    page = open_page(made_picture(500, 2_000))
    page.wait(f"{COLOURS} > 20")
    before = page.evaluate(PLACE % 0)
    page.click("#closer")
    page.wait(f"String({PLACE % 0}) !== '{','.join(map(str, before))}'")

    assert len(page.evaluate(NAMES)) == 500


# Keys and screen readers


def test_everything_is_done_by_keys(open_page: OpenPage) -> None:
    page = open_page(made_picture(5, 5))
    page.key("/")
    assert page.evaluate("document.activeElement.id") == "search"
    page.key("ArrowDown")
    assert page.evaluate("document.activeElement.dataset.key") == "p#0"
    for key, reached in (("ArrowDown", 1), ("End", 4), ("ArrowUp", 3), ("Home", 0)):
        page.key(key)
        assert page.evaluate("document.activeElement.dataset.key") == f"p#{reached}"
    page.key("Enter")
    assert page.evaluate("graphmem.view.chosen.key") == "p#0"
    page.key("Escape")
    assert page.evaluate("graphmem.view.chosen") is None

    page.evaluate("document.querySelector('#canvas').focus()")
    before = page.evaluate(PLACE % 0)
    page.key("ArrowRight")
    page.wait(f"{PLACE % 0}[0] < {before[0]} - 50")
    page.key("0")
    page.wait(f"Math.abs({PLACE % 0}[0] - {before[0]}) < 1")


def test_the_tab_key_passes_the_list_in_one_step(open_page: OpenPage) -> None:
    page = open_page(made_picture(50, 20))
    reached = []
    for _ in range(9):
        page.key("Tab")
        reached.append(
            page.evaluate(
                "document.activeElement.id || document.activeElement.dataset.key"
                " || document.activeElement.className || document.activeElement.type"
            )
        )

    assert reached == [
        "skip", "search", "closer", "wider", "fit", "theme", "p#0", "canvas", "checkbox",
    ]  # fmt: skip


def test_a_screen_reader_finds_the_same_as_eyes(open_page: OpenPage) -> None:
    page = open_page(made_picture(4, 4))
    page.click("[data-key='p#0']")
    heard = page.accessibility()

    for expected in (
        ("heading", "expired certificate"),
        ("searchbox", "Search in this picture"),
        ("navigation", "Entities"),
        ("button", "1. Entity 0, Person, score 0.700"),
        ("button", "3. Entity 2, Service, found by a link, score 0.350"),
        ("image", "Picture of 4 entities and 4 relations; the list has the same."),
        ("checkbox", "Person 1"),
        ("region", "Details"),
        ("heading", "1. Entity 0"),
        ("button", "Use the dark theme"),
    ):
        assert expected in heard
    assert not [role for role, name in heard if role in {"button", "checkbox"} and not name]
    assert page.evaluate("document.querySelector('#details').ariaLive") == "polite"


# Themes


CONTRAST = """(() => {
  const light = (name) => {
    const probe = document.body.appendChild(document.createElement('i'));
    probe.style.color = `var(--${name})`;
    const parts = getComputedStyle(probe).color.match(/[0-9.]+/g).slice(0, 3).map(Number);
    probe.remove();
    const [r, g, b] = parts.map((part) => part / 255)
      .map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const found = [];
  for (const front of ['text', 'quiet', 'accent']) {
    for (const back of ['page', 'panel', 'raised']) {
      const [a, b] = [light(front), light(back)].sort((x, y) => y - x);
      found.push((a + 0.05) / (b + 0.05));
    }
  }
  return Math.min(...found);
})()"""


@pytest.mark.parametrize(("theme", "dark"), [("light", False), ("dark", True)])
def test_the_page_follows_the_theme_and_the_switch(
    open_page: OpenPage,
    theme: Theme,
    dark: bool,  # noqa: FBT001 - a table
) -> None:
    page = open_page(made_picture(12, 20), theme=theme)
    for expected in (dark, not dark):
        colour = page.evaluate("getComputedStyle(document.body).backgroundColor")
        red, green, blue = map(int, re.findall(r"\d+", colour))
        assert (red + green + blue < 200) == expected
        assert page.evaluate(CONTRAST) >= 4.5
        assert page.evaluate("document.querySelector('#theme').ariaLabel") == (
            f"Use the {'light' if expected else 'dark'} theme"
        )
        page.wait(f"{COLOURS} > 10")
        page.click("#theme")


@pytest.mark.parametrize("width", [360, 800, 1600])
def test_the_page_fits_its_window(open_page: OpenPage, width: int) -> None:
    page = open_page(made_picture(30, 40), width=width)
    page.click("[data-key='p#1']")

    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate("document.querySelector('#stage').clientWidth") >= min(width, 360)


def test_a_narrow_page_shows_its_title_and_what_is_chosen(open_page: OpenPage) -> None:
    page = open_page(made_picture(30, 40, title="the certificate that expired"), width=400)
    page.click("[data-key='p#1']")

    heading = "document.querySelector('h1')"
    assert page.evaluate(f"{heading}.scrollWidth <= {heading}.clientWidth")
    details = "document.querySelector('#details h2').getBoundingClientRect()"
    assert page.evaluate(f"{details}.bottom < innerHeight")


def test_large_numbers_are_grouped_and_long_names_are_cut_in_the_list(open_page: OpenPage) -> None:
    picture = made_picture(2, 1)
    node = replace(picture.nodes[0], name=" ".join(["A long name"] * 40))
    nodes = (node, *picture.nodes[1:])
    page = open_page(replace(picture, nodes=nodes, total=1500, total_exact=False))

    assert page.evaluate("document.querySelector('#summary').textContent") == (
        "2 of 1,500 or more hits and 1 relation in p"
    )
    assert page.evaluate("document.querySelector('#list .name').clientHeight") < 110
    assert page.evaluate("document.querySelector('#list .name').title") == node.name


# Nothing gets out, nothing gets in


def test_hostile_texts_are_texts(open_page: OpenPage) -> None:
    page = open_page(hostile_picture())
    for place in range(len(HOSTILE)):
        page.evaluate(f"document.querySelectorAll('#list button')[{place}].click()")

    assert page.evaluate("window.broken === undefined")
    assert page.evaluate("document.images.length") == 0
    assert page.evaluate("document.scripts.length") == 3
    names = page.evaluate(NAMES)
    assert names[0] == "1. </script><script>window.broken = 1</script>"
    assert "<img src=x onerror='window.broken = 4'>" in page.evaluate(DETAILS) or (
        page.evaluate(DETAILS).startswith(f"{len(HOSTILE)}. ")
    )


IMAGE = """new Promise((kept, broken) => Object.assign(new Image(),
  { onload: kept, onerror: broken, src: 'ADDRESS' }))"""


@pytest.mark.parametrize(
    "attempt",
    [
        "fetch('ADDRESS')",
        IMAGE,
        "import('ADDRESS')",
        "import('data:text/javascript,1')",
        "document.body.innerHTML = '<b>x</b>'",
    ],
)
def test_the_browser_refuses_requests_and_html(
    browser: Chromium, tmp_path: Path, attempt: str
) -> None:
    path = tmp_path / "page.html"
    path.write_text(html(made_picture(3, 2)), encoding="utf-8")
    with socket.create_server(("127.0.0.1", 0)) as server, browser.page(path.as_uri()) as page:
        server.settimeout(0)
        tried = attempt.replace("ADDRESS", f"http://127.0.0.1:{server.getsockname()[1]}/")
        outcome = page.evaluate(f"(async () => {tried})().then(() => 'let', () => 'refused')")
        assert outcome == "refused"
        until(lambda: page.errors)  # which the browser tells on another way
        with pytest.raises(BlockingIOError):  # nobody came
            server.accept()


# In a chat

HOST = """<!doctype html><meta charset="utf-8"><title>Host</title>
<iframe sandbox="allow-scripts" width="1200" height="700"></iframe>
<script>
const heard = [];
const frame = document.querySelector('iframe');
const tell = (message) => frame.contentWindow.postMessage({ jsonrpc: '2.0', ...message }, '*');
window.addEventListener('message', (event) => {
  if (event.source === frame.contentWindow) heard.push(event.data);
  if (event.data.method === 'ui/initialize') {
    tell({ id: event.data.id, result: { protocolVersion: '2026-01-26',
      hostContext: { theme: 'dark' }, hostInfo: { name: 'test', version: '1' },
      hostCapabilities: {} } });
  }
});
</script>"""


def test_the_host_of_a_chat_gives_the_picture(browser: Chromium, tmp_path: Path) -> None:
    path = tmp_path / "host.html"
    path.write_text(HOST, encoding="utf-8")
    picture = json_for_script({"graphmem/picture": made_picture(5, 5).to_json()})
    with browser.page(path.as_uri(), width=1300) as page:
        page.evaluate(f"frame.srcdoc = {json_for_script(html(None))}; 1")
        page.wait("heard.some((one) => one.method === 'ui/notifications/initialized')")
        begin = page.evaluate("heard[0]")
        assert (begin["method"], begin["params"]["protocolVersion"]) == (
            "ui/initialize",
            "2026-01-26",
        )
        for _ in range(2):  # a host may give another result to the same page
            page.evaluate(
                "tell({ method: 'ui/notifications/tool-result',"
                f" params: {{ content: [], _meta: {picture} }} }}); 1"
            )
        page.evaluate("tell({ id: 'end', method: 'ui/resource-teardown', params: {} }); 1")
        page.wait("heard.some((one) => one.id === 'end')")
        assert page.errors == []
        assert {one["method"] for one in page.evaluate("heard.filter((one) => one.method)")} == {
            "ui/initialize", "ui/notifications/initialized", "ui/notifications/size-changed",
        }  # fmt: skip
        frame = page.frame()
        assert len(frame.evaluate(NAMES)) == 5
        assert frame.evaluate("document.documentElement.dataset.theme") == "dark"
        assert frame.evaluate("document.querySelectorAll('#kinds label').length") == 5
        assert frame.errors == []
