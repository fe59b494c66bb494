"""A model hub on this machine, of one model, as Hugging Face's libraries ask it."""

import hashlib
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

NAME = "acme/harbour"
COMMIT = "a" * 40


@contextmanager
def serving(model: Path) -> Iterator[str]:
    """Serve the files of a folder as the model NAME; gives the hub's address."""
    files = {
        file.relative_to(model).as_posix(): file.read_bytes()
        for file in model.rglob("*")
        if file.is_file()
    }
    description = {"id": NAME, "sha": COMMIT, "siblings": [{"rfilename": name} for name in files]}
    entries = [
        {"type": "file", "path": name, "size": len(content), "oid": _digest(content)}
        for name, content in files.items()
    ]

    class Hub(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            path, _, name = self.path.partition("?")[0].partition(f"/resolve/{COMMIT}/")
            if not name:
                _, _, name = path.partition("/resolve/main/")
            if name:
                self._answer(files.get(name))
            else:
                self._answer(json.dumps(entries if "/tree/" in path else description).encode())

        do_HEAD = do_GET  # noqa: N815 - the name that the library calls

        def _answer(self, content: bytes | None) -> None:
            self.send_response(404 if content is None else 200)
            if content is None:
                self.send_header("X-Error-Code", "EntryNotFound")
            self.send_header("X-Repo-Commit", COMMIT)
            self.send_header("ETag", f'"{_digest(content or b"")}"')
            self.send_header("Content-Length", str(len(content or b"")))
            self.end_headers()
            if self.command == "GET":
                self.wfile.write(content or b"")

        def log_message(self, *_: object) -> None:
            """Print nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Hub) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


def leave_part(model: Path, home: Path) -> None:
    """Leave in a home what an interrupted download of a model leaves: the small files."""
    repository = home / "hub" / f"models--{NAME.replace('/', '--')}"
    snapshot = repository / "snapshots" / COMMIT
    snapshot.mkdir(parents=True)
    (repository / "refs").mkdir()
    (repository / "refs" / "main").write_text(COMMIT)
    for name in ("modules.json", "config.json"):
        (snapshot / name).write_bytes((model / name).read_bytes())


def _digest(content: bytes) -> str:
    return hashlib.sha1(content, usedforsecurity=False).hexdigest()
