"""Tabs of a browser that speaks the DevTools protocol; `chromium` starts one."""

from __future__ import annotations

import base64
import itertools
import json
import threading
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

if TYPE_CHECKING:
    from pathlib import Path

# Whole screenshots travel in one message.
LARGEST_MESSAGE = 256 * 1024 * 1024


# What a key types, and its code: https://www.w3.org/TR/uievents-key/
KEYS: dict[str, tuple[str, int]] = {
    "Enter": ("\r", 13), "Tab": ("", 9), "Escape": ("", 27), " ": (" ", 32),
    "ArrowUp": ("", 38), "ArrowDown": ("", 40), "ArrowLeft": ("", 37), "ArrowRight": ("", 39),
    "Home": ("", 36), "End": ("", 35), "Backspace": ("", 8), "Delete": ("", 46),
}  # fmt: skip
# A promise that is kept once an expression is true.
AWAITED = """new Promise((kept, broken) => {
  const look = () => {
    try { if (%s) kept(true); else setTimeout(look, 20); } catch (error) { broken(error); }
  };
  look();
})"""

Theme = Literal["light", "dark"]


class Broken(Exception):
    """The page threw, or the browser refused a command."""


@dataclass
class Page:
    """A tab: what it shows, says and asks of the network.

    `console` holds what the page wrote, and the browser of it, as (level, text); `errors` the worst
    of that and what was thrown; `requests` each address that was asked for, the page's own first.
    """

    _wire: Wire
    _session: str
    console: list[tuple[str, str]] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)
    _loaded: threading.Event = field(default_factory=threading.Event)

    def begin(self, width: int, height: int, theme: Theme) -> None:
        """Listen to the tab and give it a size and a theme."""
        self.listen()
        self.resize(width, height)
        self.set_theme(theme)

    def listen(self) -> None:
        """Hear what is said in the tab; the browser tells what was said before, too."""
        self._wire.listen(self._session, self._hear)
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def call(self, method: str, **parameters: object) -> dict[str, Any]:
        """Run a command of the DevTools protocol.

        Raises:
            Broken: The browser refused it.
        """
        return self._wire.call(method, session=self._session, **parameters)

    def go(self, address: str) -> None:
        """Go to an address and wait until it is loaded.

        Raises:
            Broken: It cannot be reached.
        """
        self._loaded.clear()
        gone = self.call("Page.navigate", url=address)
        if gone.get("errorText"):
            raise Broken(f"{address}: {gone['errorText']}")
        self._loaded.wait()
        # A slow browser may only then tell that the page before this one was loaded.
        self.wait("document.readyState === 'complete'")

    def resize(self, width: int, height: int, *, scale: float = 1.0) -> None:
        """Give the page a size in CSS pixels, each `scale` pixels of the screen wide."""
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width, height=height, deviceScaleFactor=scale, mobile=False,
        )  # fmt: skip

    def set_theme(self, theme: Theme, *, reduced_motion: bool = False) -> None:
        """Say what `prefers-color-scheme` and `prefers-reduced-motion` are."""
        features = [
            {"name": "prefers-color-scheme", "value": theme},
            {"name": "prefers-reduced-motion", "value": "reduce" if reduced_motion else ""},
        ]
        self.call("Emulation.setEmulatedMedia", features=features)

    def evaluate(self, expression: str) -> Any:  # noqa: ANN401 - whatever the page gives
        """The value of an expression as JSON has it; of a promise, what it is kept with.

        Raises:
            Broken: The expression threw.
        """
        reply = self.call(
            "Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True
        )
        if "exceptionDetails" in reply:
            raise Broken(_thrown(reply["exceptionDetails"]))
        return reply["result"].get("value")

    def wait(self, expression: str) -> None:
        """Wait until an expression is true."""
        self.evaluate(AWAITED % expression)

    def click(self, selector: str) -> None:
        """Click the middle of the first element that a CSS selector names, with the mouse."""
        found = json.dumps(selector)
        self.wait(f"document.querySelector({found}) !== null")
        place = self.evaluate(
            f"(() => {{ const e = document.querySelector({found});"
            " e.scrollIntoView({block: 'center'}); const r = e.getBoundingClientRect();"
            " return [r.x + r.width / 2, r.y + r.height / 2]; })()"
        )
        self.click_at(*place)

    def move_to(self, x: float, y: float) -> None:
        """Move the mouse to a point of the page's window."""
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)

    def click_at(self, x: float, y: float) -> None:
        """Click a point of the page's window."""
        self.move_to(x, y)
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def type(self, text: str) -> None:
        """Type a text where the focus is."""
        self.call("Input.insertText", text=text)

    def key(self, name: str, *, shift: bool = False) -> None:
        """Press and release a key: one of `KEYS`, or a character."""
        text, code = KEYS.get(name, (name, ord(name[0].upper())))
        given = {"key": name, "windowsVirtualKeyCode": code, "modifiers": 8 if shift else 0}
        typed = {"text": text} if text else {}
        self.call("Input.dispatchKeyEvent", type="keyDown", **given, **typed)
        self.call("Input.dispatchKeyEvent", type="keyUp", **given)

    def screenshot(self, path: Path, *, form: Literal["png", "webp", "jpeg"] = "png") -> None:
        """Write a picture of the page's window."""
        shot = self.call("Page.captureScreenshot", format=form)
        path.write_bytes(base64.b64decode(shot["data"]))

    def accessibility(self) -> list[tuple[str, str]]:
        """What a screen reader finds: (role, name) of each node that is not ignored, in order."""
        nodes = self.call("Accessibility.getFullAXTree")["nodes"]
        return [
            (str(node["role"]["value"]), str(node.get("name", {}).get("value", "")))
            for node in nodes
            if not node["ignored"]
        ]

    def frame(self) -> Page:
        """The tab's sandboxed frame, which is a page of its own."""
        targets = self._wire.call("Target.getTargets")["targetInfos"]
        (target,) = (one["targetId"] for one in targets if one["type"] == "iframe")
        attached = self._wire.call("Target.attachToTarget", targetId=target, flatten=True)
        frame = Page(self._wire, attached["sessionId"])
        frame.listen()
        return frame

    def _hear(self, method: str, given: dict[str, Any]) -> None:
        """Keep what happens in the tab; called by the thread that reads."""
        if method == "Page.loadEventFired":
            self._loaded.set()
        elif method == "Runtime.consoleAPICalled":
            self._note(given["type"], " ".join(map(_written, given["args"])))
        elif method == "Runtime.exceptionThrown":
            self._note("error", _thrown(given["exceptionDetails"]))
        elif method == "Log.entryAdded":
            self._note(given["entry"]["level"], given["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            self.requests.append(given["request"]["url"])

    def _note(self, level: str, text: str) -> None:
        self.console.append((level, text))
        if level in {"error", "assert"}:
            self.errors.append(text)


class Wire:
    """The connection to the browser: a thread reads, and whoever called waits for the answer."""

    def __init__(self, address: str) -> None:
        self._opened = ExitStack()
        self._socket: ClientConnection = self._opened.enter_context(
            connect(address, max_size=LARGEST_MESSAGE, proxy=None)
        )
        self._numbers = itertools.count(1)
        self._sending = threading.Lock()
        self._answers: dict[int, dict[str, Any]] = {}
        self._arrived = threading.Condition()
        self._listeners: dict[str, Any] = {}
        self._ended = False
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def listen(self, session: str, hear: Any) -> None:  # noqa: ANN401 - a method of a page
        """Have what happens in a tab told."""
        self._listeners[session] = hear

    def call(self, method: str, *, session: str | None = None, **given: object) -> dict[str, Any]:
        """Run a command and wait for its answer."""
        number = next(self._numbers)
        message = {"id": number, "method": method, "params": given}
        with self._sending:
            self._socket.send(json.dumps(message | ({"sessionId": session} if session else {})))
        with self._arrived:
            self._arrived.wait_for(lambda: number in self._answers or self._ended)
            answer = self._answers.pop(number, None)
        if answer is None:
            raise Broken(f"{method}: Chromium has ended")
        if "error" in answer:
            raise Broken(f"{method}: {answer['error']['message']}")
        result = answer["result"]
        assert isinstance(result, dict)
        return result

    def close(self) -> None:
        """Close the connection and let the reader end."""
        self._opened.close()
        self._reader.join()

    def _read(self) -> None:
        try:
            with suppress(ConnectionClosed):
                for text in self._socket:
                    self._take(json.loads(text))
        finally:  # whatever ended the reading, nobody waits for an answer any more
            with self._arrived:
                self._ended = True
                self._arrived.notify_all()

    def _take(self, message: dict[str, Any]) -> None:
        if "id" in message:
            with self._arrived:
                self._answers[message["id"]] = message
                self._arrived.notify_all()
        elif hear := self._listeners.get(message.get("sessionId", "")):
            hear(message["method"], message["params"])


def _thrown(details: dict[str, Any]) -> str:
    thrown = details.get("exception", {})
    return str(thrown.get("description") or thrown.get("value") or details["text"])


def _written(argument: dict[str, Any]) -> str:
    value = argument.get("value", argument.get("description", ""))
    return value if isinstance(value, str) else json.dumps(value)
