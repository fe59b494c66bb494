"""Measures the MCP handshake over stdio: from the spawn to the answer to `tools/list`.

    python benchmarks/handshake.py [ROUNDS]

`python -m graphmem serve` and an empty FastMCP server take turns under the same interpreter, after
a round that is not counted. The database must be up (`graphmem db start`, or NEO4J_URI).
"""

import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

ROUNDS = 10
TARGET = 1.3
# With the bytecode of the packages at hand, as after any first start.
ENVIRONMENT = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}

GRAPHMEM = (sys.executable, "-m", "graphmem", "serve")
EMPTY = (sys.executable, str(Path(__file__).with_name("empty_server.py")))

INITIALIZE: dict[str, object] = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "handshake", "version": "1"},
}


def handshake(
    command: Sequence[str],
    *,
    environment: Mapping[str, str] = ENVIRONMENT,
    folder: str | None = None,
    listed: Callable[[int], None] = lambda _: None,
) -> tuple[float, int]:
    """Start a server, list its tools and end it.

    Args:
        command: Starts it.
        environment: Its variables.
        folder: Where it works; by default here.
        listed: Given its pid once the tools are listed; takes no part in the time.

    Returns:
        The seconds until the tools were listed, and how many there are.
    """
    began = time.perf_counter()
    with subprocess.Popen(  # noqa: S603 - our own command
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment,
        cwd=folder,
        text=True,
    ) as server:
        _ask(server, 1, "initialize", INITIALIZE)
        _send(server, {"method": "notifications/initialized"})
        answer = _ask(server, 2, "tools/list", {})
        took = time.perf_counter() - began
        listed(server.pid)
        assert server.stdin is not None
        server.stdin.close()
        assert server.wait(30) == 0, f"{command[-1]} ended with {server.returncode}"
    tools = answer["tools"]
    assert isinstance(tools, list)
    return took, len(tools)


def _send(server: subprocess.Popen[str], message: dict[str, object]) -> None:
    assert server.stdin is not None
    server.stdin.write(json.dumps({"jsonrpc": "2.0"} | message) + "\n")
    server.stdin.flush()


def _ask(
    server: subprocess.Popen[str], number: int, method: str, parameters: dict[str, object]
) -> dict[str, object]:
    _send(server, {"id": number, "method": method, "params": parameters})
    assert server.stdout is not None
    for line in server.stdout:
        answer = json.loads(line)
        if answer.get("id") == number:
            result: dict[str, object] = answer["result"]
            return result
    raise SystemExit(f"the server ended before it answered {method}")


def main() -> int:
    """Print each round, the medians and their ratio; 1 where the ratio is over the target."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    for command in (GRAPHMEM, EMPTY):
        handshake(command)
    ours, empty = [], []
    for number in range(1, rounds + 1):
        own, tools = handshake(GRAPHMEM)
        bare, _ = handshake(EMPTY)
        ours.append(own)
        empty.append(bare)
        print(f"{number:3}  graphmem {own:.3f} s ({tools} tools)  empty {bare:.3f} s")
    ratio = statistics.median(ours) / statistics.median(empty)
    print(
        f"median  graphmem {statistics.median(ours):.3f} s  empty {statistics.median(empty):.3f} s"
    )
    print(f"ratio {ratio:.2f}, at most {TARGET}")
    return int(ratio > TARGET)


if __name__ == "__main__":
    sys.exit(main())
