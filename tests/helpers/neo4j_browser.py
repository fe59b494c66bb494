"""Neo4j Browser in a real Chromium: a login as a person makes it, and queries in the editor."""

from __future__ import annotations

import json
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from graphmem.neo4j_process import browsing, status

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chromium import Chromium, Page
    from graphmem.settings import Settings

# Nothing changes any more: the form forgets what is typed while it looks for the server.
SETTLED = """new Promise((kept) => {
  let timer = setTimeout(kept, 1500);
  new MutationObserver(() => { clearTimeout(timer); timer = setTimeout(kept, 1500); })
    .observe(document, {subtree: true, childList: true, attributes: true, characterData: true});
})"""
# The form is gone and the editor is there.
LOGGED_IN = """document.querySelector('input[type=password]') === null
    && document.querySelector('[data-testid=activeEditor]') !== null"""
# The page keeps the style that the server gave it.
STYLED = """(localStorage.getItem('neo4j.grass') || '').includes('node.Passage')
    && document.querySelector('[data-testid=frame]') === null"""
# The newest frame is that of a query, and has an answer, a picture or an error.
ANSWERED = """(() => {
    const frame = document.querySelector('[data-testid=frame]');
    return frame !== null
      && frame.querySelector('[data-testid=frameCommand]').innerText.startsWith(%s)
      && (frame.querySelector('g.node circle, table, [role=grid]') !== null
        || /ERROR|no changes, no records/.test(frame.innerText));
})()"""
NODES = """(() => {
    const frame = document.querySelector('[data-testid=frame]');
    return [...frame.querySelectorAll('g.node')].map((node) => {
        const circle = node.querySelector('circle.b-outline');
        const lines = [...node.querySelectorAll('text.caption')].map((one) => one.textContent);
        return {text: lines.join(' '), colour: circle.getAttribute('fill'),
            radius: Number(circle.getAttribute('r'))};
    });
})()"""
ARROWS = """(() => {
    const frame = document.querySelector('[data-testid=frame]');
    return [...frame.querySelectorAll('g.relationship text')].map((one) => one.textContent);
})()"""
# Where the picture does not move any more.
STILL = """new Promise((kept) => {
  let before = '', since = performance.now();
  const look = () => {
    const nodes = [...document.querySelectorAll('g.node')];
    const now = nodes.map((one) => one.getAttribute('transform')).join();
    if (now !== before) { before = now; since = performance.now(); }
    if (performance.now() - since > 700) kept(true); else setTimeout(look, 50);
  };
  look();
})"""


class BrowserPage:
    """A tab with Neo4j Browser, logged in."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def run(self, query: str) -> str:
        """Run a query, and give the words of its frame."""
        line = " ".join(query.split())
        self.page.click("[data-testid=activeEditor]")
        self.page.type(line)
        self.page.click("[data-testid=editor-Run]")
        self.page.wait(ANSWERED % json.dumps(line[:40]))
        return str(self.page.evaluate("document.querySelector('[data-testid=frame]').innerText"))

    def nodes(self) -> list[dict[str, Any]]:
        """The circles of the picture: `text`, `colour` and `radius`."""
        found: list[dict[str, Any]] = self.page.evaluate(NODES)
        return found

    def arrows(self) -> list[str]:
        """What stands at the arrows of the picture."""
        found: list[str] = self.page.evaluate(ARROWS)
        return found


@contextmanager
def logged_in(
    chromium: Chromium, settings: Settings, *, width: int = 1280, height: int = 800
) -> Iterator[BrowserPage]:
    """Open the page of a private server as `graphmem db browser` does, and log in."""
    address = browsing.login_address(status(settings))
    assert address is not None
    with chromium.page(address, width=width, height=height) as page:
        page.wait("document.querySelector('input[type=password]') !== null")
        page.evaluate(SETTLED)
        page.click("input[type=password]")
        page.type(browsing.read_password(settings))
        page.key("Enter")
        page.wait(LOGGED_IN)
        page.wait(STYLED)
        yield BrowserPage(page)
