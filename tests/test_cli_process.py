"""The terminal as it is really run: processes of their own, pipes, and the whole demo."""

import json
import os
import signal
import subprocess
import sys
import tomllib
import uuid
from pathlib import Path

import pytest

from fakes import FakeEmbedder
from graphmem.graph import Graph
from graphmem.memory import Memory
from memories import memory_with
from python_programs import run_python
from terminals import answered

GRAPHMEM = (sys.executable, "-m", "graphmem")


def graphmem(
    environment: dict[str, str], *tokens: str, **variables: str
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*GRAPHMEM, *tokens],
        env=environment | variables,
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=300,
    )


@pytest.fixture(scope="module")
def filled(graph: Graph) -> str:
    """A project of 1,000 entities, which export in more than one write."""
    project = f"example.org/tests/{uuid.uuid4().hex}"
    berths = [{"name": f"Berth {number}", "text": "A place for a boat."} for number in range(1000)]
    memory_with(FakeEmbedder(), graph, project).remember(berths)
    return project


def test_json_goes_to_stdout_alone_and_is_one_document(
    environment: dict[str, str], filled: str
) -> None:
    ran = graphmem(
        environment, "search", "berth 7", "--mode", "keyword", "--project", filled, "--json"
    )
    answer = json.loads(ran.stdout)
    assert ran.returncode == 0
    assert answer["hits"][0]["name"] == "Berth 7"
    assert (answer["count"], answer["degraded"], ran.stderr) == (10, None, "")


def test_an_export_is_utf_8_where_the_terminal_is_not(
    environment: dict[str, str], memory: Memory
) -> None:
    memory.remember([{"name": "Причал", "text": "泊位"}])
    ran = graphmem(
        environment, "export", "--project", str(memory.project), PYTHONIOENCODING="latin-1"
    )
    line = json.loads(ran.stdout)
    assert (line["name"], line["text"]) == ("Причал", "泊位")


def test_symbols_have_ascii_replacements_on_a_limited_terminal(
    environment: dict[str, str], memory: Memory
) -> None:
    memory.remember(
        [{"name": "Café"}, {"name": "Причал"}],
        [{"from": "Café", "relation": "BESIDE", "to": "Причал"}],
    )
    for name, sign in (("Café", b"->"), ("Причал", b"<-")):
        ran = subprocess.run(
            [*GRAPHMEM, "show", name, "--project", str(memory.project)],
            env=environment | {"PYTHONIOENCODING": "latin-1"}, capture_output=True, check=True,
        )  # fmt: skip
        assert sign + b" BESIDE" in ran.stdout


def test_no_result_exits_with_1_and_a_wrong_option_with_2(
    environment: dict[str, str], project: str
) -> None:
    words = ("search", "nothing", "--mode", "keyword", "--project", project)
    assert graphmem(environment, *words).returncode == 1
    wrong = graphmem(environment, *words, "--limit", "0")
    assert wrong.returncode == 2
    assert wrong.stderr == "graphmem: --limit must be from 1 to 200, got 0\n"


def test_a_reader_that_stops_reading_is_no_error(environment: dict[str, str], filled: str) -> None:
    with subprocess.Popen(
        [*GRAPHMEM, "export", "--project", filled],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline().startswith(b'{"type": "entity"')
        process.stdout.close()
        # From Python 3.14 on, more than half of the lines are made before the first is written.
        assert process.stderr.read() in {b"", "Exporting …\n".encode()}
    assert process.returncode == 141


def test_no_spinner_writes_over_a_question(environment: dict[str, str], memory: Memory) -> None:
    memory.remember([{"name": "Quay"}, {"name": "Wharf"}])
    merge = ("merge", "Quay", "Wharf", "--project", str(memory.project))
    # Torch takes seconds, for which a spinner turns.
    shown = answered("n\n", *merge, **environment | {"GRAPHMEM_MODEL_RUNTIME": "torch"})
    assert "Merge Quay into Wharf? [y/N] graphmem: cancelled; nothing was changed" in shown


def test_a_reader_that_stops_reading_the_help_is_no_error() -> None:
    script = '"$@" | head -1; echo "${PIPESTATUS[0]}"'
    ran = subprocess.run(
        ["bash", "-c", script, "bash", *GRAPHMEM, "search", "--help"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    usage, code = ran.stdout.splitlines()
    assert usage.startswith("Usage: graphmem search ")
    assert ran.stderr == ""
    assert code in {"0", "141"}  # 0 if all was written before the reader ended


def test_no_server_offers_tools_without_descriptions() -> None:
    ran = subprocess.run(
        [sys.executable, "-OO", "-m", "graphmem", "serve"],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (ran.returncode, ran.stdout) == (1, "")
    assert ran.stderr.startswith("graphmem: PYTHONOPTIMIZE: at level 2")


def test_control_c_exits_with_130_and_one_line(environment: dict[str, str], project: str) -> None:
    with subprocess.Popen(
        [*GRAPHMEM, "remember", "A", "--project", project],
        # Torch takes seconds, and an export is loaded before the command is connected.
        env={**environment, "GRAPHMEM_MODEL_RUNTIME": "torch"},
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stderr is not None
        assert b"Loading the embedding model" in process.stderr.readline()
        process.send_signal(signal.SIGINT)
        rest = process.stderr.read()
    assert (process.returncode, rest) == (130, b"graphmem: interrupted\n")


def test_control_c_while_a_command_is_imported_exits_with_130_and_one_line() -> None:
    script = (
        "import os, signal, sys\n"
        "class Interrupting:\n"
        "    def find_spec(self, name, *_):\n"
        "        if name == 'graphmem.cli':\n"
        "            os.kill(os.getpid(), signal.SIGINT)\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "from graphmem.__main__ import main\n"
        "sys.meta_path.insert(0, Interrupting())\n"
        "sys.exit(main())\n"
    )
    ran = run_python(script)
    assert (ran.returncode, ran.stderr) == (130, "graphmem: interrupted\n")
    project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text())["project"]
    assert project["scripts"] == {"graphmem": "graphmem.__main__:main"}


def test_control_c_within_an_exec_exits_with_130_and_one_line(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(
        "import sys\n"
        "class Interrupting:\n"
        "    def find_spec(self, name, *_):\n"
        "        if name == 'graphmem.cli':\n"
        "            exec('raise KeyboardInterrupt')\n"
        "sys.meta_path.insert(0, Interrupting())\n"
    )
    ran = subprocess.run(
        [sys.executable, "-m", "graphmem", "--version"],
        env={**os.environ, "PYTHONPATH": os.pathsep.join((str(tmp_path), *sys.path))},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ran.returncode, ran.stderr) == (130, "graphmem: interrupted\n")


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_a_command_that_is_started_with_closed_streams_ends_as_any_other(closed: str) -> None:
    script = f'"$@" {closed}'
    command = ("sh", "-c", script, "sh", *GRAPHMEM)
    for tokens, code in ((("project", "show"), 0), (("serve",), 0), (("serch",), 2)):
        ran = subprocess.run(
            [*command, *tokens],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        assert (ran.returncode, "Traceback" in ran.stderr) == (code, False)


@pytest.mark.parametrize(
    "waiting",
    [
        "time.sleep(10)",
        "lock = threading.Lock(); lock.acquire(); lock.acquire(timeout=10)",
        "a, b = socket.socketpair(); a.settimeout(10); a.recv(1)",
    ],
)
def test_an_interrupt_inside_a_finalizer_is_none_that_is_lost(waiting: str) -> None:
    script = (
        "import os, signal, socket, sys, threading, time\n"
        "from graphmem import cli\n"
        "class Ends:\n"
        "    def __del__(self):\n"
        "        os.kill(os.getpid(), signal.SIGINT)\n"
        "        time.sleep(10)\n"
        "def run(tokens):\n"
        "    ending = Ends()\n"
        "    del ending\n"
        f"    {waiting}\n"
        "    return 0\n"
        "cli._run = run\n"
        "sys.exit(cli.main())\n"
    )
    ran = run_python(script)
    assert (ran.returncode, ran.stderr) == (130, "graphmem: interrupted\n")


def test_the_demo_imports_the_sample_and_names_links_in_three_searches(
    environment: dict[str, str],
) -> None:
    ran = graphmem(environment, "demo")
    assert ran.returncode == 0, ran.stderr
    searches = ran.stdout.split("$ graphmem search")[1:]
    assert len(searches) == 3
    for search in searches:
        links = [line.split()[0] for line in search.splitlines() if line.strip()]
        assert {"⟵", "⟶"} & set(links), search
    assert "Try next" in ran.stdout
    assert '"mcpServers"' in ran.stdout
    assert "Traceback" not in ran.stderr


def test_the_demo_says_once_why_its_searches_lack_the_model(environment: dict[str, str]) -> None:
    nobody = {"GRAPHMEM_EMBEDDING_URL": "http://127.0.0.1:9/v1", "GRAPHMEM_EMBEDDING_MODEL": "m"}
    ran = graphmem(environment | nobody, "demo")
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.count("searched by words and links only") == 1
