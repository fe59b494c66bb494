"""A language server as a child process, asked where things are defined."""

import json
import queue
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from urllib.parse import unquote, urlsplit


class LanguageServer:
    """A server that speaks the language server protocol over its standard streams.

    Args:
        command: Of the server.
        folder: The workspace.
        options: `initializationOptions`, and what the server gets when it asks for settings.
    """

    def __init__(self, command: Sequence[str], folder: Path, options: object = None) -> None:
        self._folder = folder.resolve()
        self._options = options
        self._last_id = 0
        self._process = subprocess.Popen(  # noqa: S603 - the caller's own server
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=folder
        )
        self._messages: queue.Queue[dict[str, Any] | None] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()
        uri = self._folder.as_uri()
        self._request(
            "initialize",
            {
                "processId": None,
                "rootUri": uri,
                "workspaceFolders": [{"uri": uri, "name": self._folder.name}],
                "initializationOptions": options,
                "capabilities": {
                    "textDocument": {"definition": {"linkSupport": False}},
                    "workspace": {"configuration": True, "workspaceFolders": True},
                    "window": {"workDoneProgress": True},
                },
            },
        )
        self._send("initialized", {})

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End the server."""
        self._process.kill()
        self._process.wait()

    def open(self, path: str, language: str) -> None:
        """Show the server a file of the workspace."""
        file = self._folder / path
        text = file.read_text(encoding="utf-8", errors="replace")
        document = {"uri": file.as_uri(), "languageId": language, "version": 1, "text": text}
        self._send("textDocument/didOpen", {"textDocument": document})

    def close(self, path: str) -> None:
        """Have the server forget an open file."""
        document = {"uri": (self._folder / path).as_uri()}
        self._send("textDocument/didClose", {"textDocument": document})

    def definitions(self, path: str, line: int, column: int) -> list[tuple[str, int]]:
        """Where the name at a position is defined.

        Args:
            path: Of an open file.
            line: From 0.
            column: From 0, in UTF-16 code units.

        Returns:
            Paths, as seen from the workspace if they are in it, and lines, which count from 0.
        """
        answer = self._request(
            "textDocument/definition",
            {
                "textDocument": {"uri": (self._folder / path).as_uri()},
                "position": {"line": line, "character": column},
            },
        )
        places = answer if isinstance(answer, list) else [answer] if answer else []
        definitions = []
        for place in places:
            uri = place.get("uri") or place["targetUri"]
            span = place.get("range") or place["targetSelectionRange"]
            file = Path(unquote(urlsplit(uri).path))
            if file.is_relative_to(self._folder):
                file = file.relative_to(self._folder)
            definitions.append((file.as_posix(), span["start"]["line"]))
        return definitions

    def wait_until_quiet(self, seconds: float) -> None:
        """Wait until the server has said nothing for a while, as when it has read the workspace."""
        while True:
            try:
                self._reply_to(self._messages.get(timeout=seconds))
            except queue.Empty:
                return

    def _request(self, method: str, parameters: object) -> Any:  # noqa: ANN401 - any JSON
        self._last_id += 1
        self._write({"id": self._last_id, "method": method, "params": parameters})
        while True:
            message = self._messages.get()
            if message and message.get("id") == self._last_id and "method" not in message:
                if "error" in message:
                    print(message["error"]["message"], file=sys.stderr)
                return message.get("result")
            self._reply_to(message)

    def _reply_to(self, message: dict[str, Any] | None) -> None:
        """Answer what a server asks of the editor: settings, or nothing."""
        if message is None:
            raise ConnectionError("the language server ended")
        if "id" in message and "method" in message:
            is_settings = message["method"] == "workspace/configuration"
            items = message["params"]["items"] if is_settings else ()
            result = [self._options for _ in items] if is_settings else None
            self._write({"id": message["id"], "result": result})

    def _send(self, method: str, parameters: object) -> None:
        self._write({"method": method, "params": parameters})

    def _write(self, message: dict[str, object]) -> None:
        assert self._process.stdin
        content = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self._process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(content), content))
        self._process.stdin.flush()

    def _read(self) -> None:
        assert self._process.stdout
        size = 0
        for line in iter(self._process.stdout.readline, b""):
            name, _, value = line.strip().partition(b":")
            if name.lower() == b"content-length":
                size = int(value)
            elif not name:
                self._messages.put(json.loads(self._process.stdout.read(size)))
        self._messages.put(None)
