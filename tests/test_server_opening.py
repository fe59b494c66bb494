"""The MCP server opens its memory in the background, and ends once calls are answered."""

import signal
import threading
from pathlib import Path
from typing import Any

import pytest
from fastmcp import FastMCP
from fastmcp.exceptions import ToolError

from graphmem.errors import ConfigurationError
from graphmem.memory import Memory
from graphmem.profiles import PROFILES
from graphmem.server import LazyMemory, http
from graphmem.server.lazy_memory import BROKEN, STARTING
from graphmem.server.stopping import GIVEN_UP, STOP_SIGNALS
from python_programs import run_python
from stub_memories import Stub, as_memory, opening


def test_a_call_waits_for_the_memory() -> None:
    stub = Stub()
    assert opening(stub).memory() is as_memory(stub)


def test_a_call_that_waits_too_long_for_the_memory_fails() -> None:
    release = threading.Event()

    def opens() -> Memory:
        release.wait()
        return as_memory(Stub())

    slow = LazyMemory(opens, seconds=0.01)
    with pytest.raises(ToolError, match=STARTING):
        slow.memory()
    assert slow.state == "starting"
    release.set()


def test_a_memory_that_could_not_be_opened_is_opened_again_at_the_next_call() -> None:
    stub = Stub()
    twice = opening(ConfigurationError("no Java"), stub)
    with pytest.raises(ConfigurationError, match="no Java"):
        twice.memory()
    assert twice.memory() is as_memory(stub)
    assert twice.state == "ready"


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_an_unforeseen_error_of_opening_is_masked_and_opening_is_retried() -> None:
    stub = Stub()
    twice = opening(ValueError("password hunter2"), stub)
    with pytest.raises(ToolError) as raised:
        twice.memory()
    assert str(raised.value) == BROKEN
    for thread in threading.enumerate():
        if thread.name == "graphmem-open":
            thread.join()  # its error is this test's
    assert twice.state == "failed"
    assert twice.memory() is as_memory(stub)


def test_the_memory_is_opened_once() -> None:
    stub = Stub()
    once = opening(stub)
    once.begin()
    once.begin()
    assert once.memory() is once.memory() is as_memory(stub)


def test_concurrent_calls_open_the_memory_once() -> None:
    stub, release, begun = Stub(), threading.Event(), []

    def opens() -> Memory:
        begun.append(stub)
        release.wait()
        return as_memory(stub)

    slow = LazyMemory(opens)
    for _ in range(3):
        slow.begin()
    release.set()
    assert slow.memory() is as_memory(stub)
    for thread in threading.enumerate():
        if thread.name == "graphmem-open":
            thread.join()
    assert len(begun) == 1


def test_closing_closes_the_memory() -> None:
    stub = Stub()
    opened = opening(stub)
    opened.memory()
    opened.close()
    assert stub.closed
    assert opened.state == "closed"


def test_a_memory_that_opens_after_the_end_is_closed_at_once() -> None:
    stub, release = Stub(), threading.Event()

    def opens() -> Memory:
        release.wait()
        return as_memory(stub)

    late = LazyMemory(opens)
    late.begin()
    late.close()
    release.set()
    for thread in threading.enumerate():
        if thread.name == "graphmem-open":
            thread.join()
    assert stub.closed


# The handshake waits for nothing

LISTS_TOOLS = """
import asyncio, sys
from types import SimpleNamespace
from fastmcp import Client, FastMCP
from graphmem.arguments import as_list
from graphmem.server import LazyMemory, build

async def list_tools(*profiles):
    opening = LazyMemory(lambda: SimpleNamespace(close=lambda: None))
    async with Client(build(opening, profiles=profiles)) as client:
        assert await client.list_tools()
        for module in (
            "sentence_transformers", "torch", "transformers", "onnxruntime", "neo4j", "git",
            "graphmem.transfer", "graphmem.write",
        ):  # fmt: skip
            assert module not in sys.modules, (profiles, module)

asyncio.run(list_tools())
for profile in sys.argv[1:]:
    asyncio.run(list_tools(profile))
"""


def test_listing_tools_imports_neither_torch_nor_the_driver() -> None:
    ended = run_python(LISTS_TOOLS, *PROFILES)
    assert ended.returncode == 0, ended.stderr


def test_a_stray_env_file_of_the_folder_is_not_fastmcps(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".env").write_text("FASTMCP_LOG_LEVEL=nonsense\n")
    monkeypatch.chdir(tmp_path)
    ended = run_python("import graphmem.server")
    assert ended.returncode == 0, ended.stderr


def test_the_server_is_imported_where_no_home_directory_is_known() -> None:
    ended = run_python(
        "import os, posixpath\n"
        "expanded = posixpath.expanduser\n"  # a container does not know who its user is
        "posixpath.expanduser = lambda path: expanded(path) if 'HOME' in os.environ else path\n"
        "for name in ('HOME', 'XDG_DATA_HOME'):\n"
        "    os.environ.pop(name, None)\n"
        "import graphmem.server\n"
        "assert 'HOME' not in os.environ\n"
    )
    assert ended.returncode == 0, ended.stderr


def test_a_folder_of_an_unknown_user_is_refused() -> None:
    ended = run_python(
        "from pathlib import Path\n"
        "from graphmem.server import run\n"
        "run(transport='http', folders=[Path('~nosuch')])\n"
    )
    assert "InvalidInput: --folder must not begin with `~` and the name of a user" in ended.stderr


class Recording(FastMCP[Any]):
    """Takes down how it is to be served, and ends at once."""

    options: dict[str, Any]

    async def run_http_async(self, **options: Any) -> None:  # type: ignore[override]  # noqa: ANN401 - as given
        self.options = options


def test_calls_in_flight_are_answered_before_a_container_ends_the_server() -> None:
    app = Recording("recording")
    handlers = [signal.getsignal(number) for number in STOP_SIGNALS]
    try:
        http.serve(app, opening(Stub()), "127.0.0.1", 0)
    finally:
        for number, handler in zip(STOP_SIGNALS, handlers, strict=True):
            signal.signal(number, handler)
    usual_seconds_of_a_container = 10
    seconds = app.options["uvicorn_config"]["timeout_graceful_shutdown"]
    assert 5 < seconds < usual_seconds_of_a_container


# A call that never ends, of a server that waits a second for it and is told to stop meanwhile.
STOPPED = """
import http.client, json, os, signal, sys, threading
sys.path.append(sys.argv[1])
from graphmem.server import build, http as over_http, logs
from stub_memories import Stub, opening

called = threading.Event()

class Busy(Stub):
    def overview(self, **_):
        called.set()
        threading.Event().wait()

def call():
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
    parameters = {"name": "overview", "arguments": {"project": "p"}}
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": parameters}
    types = {"Content-Type": "application/json", "Accept": "application/json"}
    connection.request("POST", "/mcp", json.dumps(message), types)
    answer = connection.getresponse()
    print(answer.status, answer.read().decode(), end="", flush=True)

def stop():
    called.wait()
    os.kill(os.getpid(), signal.SIGTERM)

def announce(host, port_in_use, *, has_token):
    global port
    port = port_in_use
    for work in (call, stop):
        threading.Thread(target=work, daemon=True).start()

over_http.STOP_SECONDS = 1
over_http._announce = announce
logs.to_stderr("WARNING", calls=False)
memory = opening(Busy())
over_http.serve(build(memory, detects_project=False), memory, "127.0.0.1", 0)
"""


def test_a_call_that_takes_too_long_does_not_hold_up_the_end_of_a_server() -> None:
    ended = run_python(STOPPED, str(Path(__file__).parent / "helpers"))
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout == f"503 {GIVEN_UP.decode()}"
    assert "Traceback" not in ended.stderr
