"""A real Chromium without a window, driven over its DevTools protocol.

Tests mark themselves `needs_chromium`: they run where a Chromium is installed, and are skipped with
the sentence that says how to get one where there is none. Use it so:

    with Chromium() as browser, browser.page(address) as page:
        page.wait("document.querySelector('h1') !== null")
        page.click("#search")
        page.type("relay")
        page.key("Enter")
        assert page.evaluate("document.title") == "…"
        assert page.errors == []
        page.screenshot(path)
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import threading
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Self

import pytest
from websockets.exceptions import ConnectionClosed

from devtools import Broken, Page, Theme, Wire

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["HOW_TO_INSTALL", "Broken", "Chromium", "Page", "Theme", "needs_chromium", "program"]

PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
HOW_TO_INSTALL = (
    "Chromium is not installed: run `apt-get install chromium` on Debian or Ubuntu, or install "
    "Google Chrome, and run the test again"
)
# No update, no first page, no reports: the browser asks nobody for anything by itself.
FLAGS = (
    "--headless=new",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-dev-shm-usage",
    "--disable-extensions",
    "--disable-sync",
    "--disable-gpu",
    "--force-color-profile=srgb",
    "--hide-scrollbars",
    "--mute-audio",
    "--no-default-browser-check",
    "--no-first-run",
    "--no-proxy-server",
    "--password-store=basic",
    "--remote-debugging-port=0",
)
# Ends the browser once its pipe is closed, also where a killed run closes it.
WATCHER = """
import os, shutil, signal, sys
sys.stdin.read()
try:
    os.killpg(int(sys.argv[1]), signal.SIGKILL)
except ProcessLookupError:
    pass
shutil.rmtree(sys.argv[2], ignore_errors=True)
"""


def program() -> str | None:
    """The installed Chromium, or None."""
    return next((place for name in PROGRAMS if (place := shutil.which(name))), None)


needs_chromium = pytest.mark.skipif(program() is None, reason=HOW_TO_INSTALL)


class Chromium:
    """A browser with an empty profile of its own, which is gone when the block is left.

    Args:
        flags: More of the command line.
    """

    def __init__(self, *flags: str) -> None:
        place = program()
        if place is None:
            raise FileNotFoundError(HOW_TO_INSTALL)
        self._profile = tempfile.mkdtemp(prefix="graphmem-chromium-")
        root = ("--no-sandbox",) if os.geteuid() == 0 else ()
        command = [place, *FLAGS, *root, *flags, f"--user-data-dir={self._profile}", "about:blank"]
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        self._watcher = subprocess.Popen(
            [sys.executable, "-c", WATCHER, str(self._process.pid), self._profile],
            stdin=subprocess.PIPE,
            start_new_session=True,
        )
        self._drain: threading.Thread | None = None
        try:
            self._wire = Wire(self._address())
        except BaseException:
            self._end()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(Broken, ConnectionClosed):
            self._wire.call("Browser.close")
        self._wire.close()
        self._end()

    @contextmanager
    def page(
        self,
        address: str = "about:blank",
        *,
        width: int = 1280,
        height: int = 800,
        theme: Theme = "light",
    ) -> Iterator[Page]:
        """Open a page in a tab of its own, and close it after the block.

        Args:
            address: Where it goes; `Path.as_uri` makes one of a file.
            width: Of the page, in pixels.
            height: Likewise.
            theme: What `prefers-color-scheme` says.
        """
        target = self._wire.call("Target.createTarget", url="about:blank")["targetId"]
        attached = self._wire.call("Target.attachToTarget", targetId=target, flatten=True)
        page = Page(self._wire, attached["sessionId"])
        try:
            page.begin(width, height, theme)
            if address != "about:blank":
                page.go(address)
            yield page
        finally:
            with suppress(Broken, ConnectionClosed):
                self._wire.call("Target.closeTarget", targetId=target)

    def _address(self) -> str:
        assert self._process.stderr is not None
        heard = []
        for line in self._process.stderr:
            heard.append(line)
            if line.startswith("DevTools listening on "):
                # It goes on writing, and must never wait for a reader.
                self._drain = threading.Thread(target=self._process.stderr.read, daemon=True)
                self._drain.start()
                return line.split()[-1]
        raise Broken(f"Chromium did not start:\n{''.join(heard[-20:])}")

    def _end(self) -> None:
        self._watcher.communicate()
        self._process.wait()
        if self._drain is not None:
            self._drain.join()
        assert self._process.stderr is not None
        self._process.stderr.close()
