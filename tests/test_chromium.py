"""What the tests in a real Chromium rely on."""

import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from chromium import Broken, Chromium, needs_chromium

pytestmark = needs_chromium

HELPERS = Path(__file__).parent / "helpers"

PAGE = """<!doctype html><meta charset="utf-8"><title>Kit</title>
<style>body { margin: 0; background: #fff } @media (prefers-color-scheme: dark) {
  body { background: #000 } }</style>
<input id="words" aria-label="Words"><button id="press">Press</button><p id="said"></p>
<script>
document.querySelector('#press').onclick = () => {
  document.querySelector('#said').textContent = document.querySelector('#words').value;
};
document.querySelector('#words').onkeydown = (event) => {
  if (event.key === 'Enter') console.warn('entered', event.shiftKey);
};
</script>"""


def test_a_page_is_clicked_typed_into_and_seen(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(PAGE, encoding="utf-8")
    address = (tmp_path / "page.html").as_uri()
    with Chromium() as browser, browser.page(address, theme="dark") as page:
        page.click("#words")
        page.type("реле")
        page.key("Enter", shift=True)
        page.click("#press")

        page.wait("document.querySelector('#said').textContent !== ''")
        assert page.evaluate("document.querySelector('#said').textContent") == "реле"
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(0, 0, 0)"
        assert ("button", "Press") in page.accessibility()
        assert page.console == [("warning", "entered true")]
        assert page.errors == []
        assert page.requests == [address]
        page.screenshot(tmp_path / "page.png")
        assert (tmp_path / "page.png").read_bytes().startswith(b"\x89PNG")


def test_the_browser_of_a_killed_run_ends() -> None:
    run = "from chromium import Chromium; print(Chromium()._process.pid, flush=True); input()"
    with subprocess.Popen(
        [sys.executable, "-c", run], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=HELPERS
    ) as killed:
        assert killed.stdout is not None
        browser = psutil.Process(int(killed.stdout.readline()))
        killed.kill()
        browser.wait()


def test_what_goes_wrong_in_a_page_is_reported() -> None:
    with Chromium() as browser, browser.page() as page:
        page.evaluate("setTimeout(() => { throw new Error('lost') }, 0)")
        page.evaluate("new Promise((kept) => setTimeout(kept, 50))")

        assert [error.splitlines()[0] for error in page.errors] == ["Error: lost"]
        with pytest.raises(Broken, match="nothing is not defined"):
            page.evaluate("nothing")
