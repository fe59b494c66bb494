"""A server that runs while graphmem is upgraded says so instead of failing without a word."""

import sys
import threading
from pathlib import Path
from types import ModuleType

import pytest
from fastmcp.exceptions import ToolError

from graphmem.errors import SchemaMismatch
from graphmem.memory import Memory
from graphmem.server import LazyMemory
from graphmem.server.middleware import expose_errors
from graphmem.server.version_check import UPGRADED, was_upgraded

NEWER_STORE = SchemaMismatch("a newer graphmem wrote it")
MISSING_NAME = ImportError("cannot import name 'vectors'")


def failing(error: Exception) -> None:
    expose_errors(lambda: fail(error))()


def fail(error: Exception) -> Memory:
    raise error


@pytest.fixture
def replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file of an imported module, written after the server started."""
    module = ModuleType("graphmem.replaced")
    file = tmp_path / "replaced.py"
    file.touch()
    module.__file__ = str(file)
    monkeypatch.setitem(sys.modules, module.__name__, module)
    return file


def test_a_server_whose_files_are_those_it_started_with_was_not_upgraded() -> None:
    assert not was_upgraded()
    with pytest.raises(ImportError, match="vectors"):
        failing(MISSING_NAME)
    with pytest.raises(ToolError, match="a newer graphmem wrote it"):
        failing(NEWER_STORE)


@pytest.mark.parametrize("is_deleted", [False, True])
@pytest.mark.parametrize("error", [MISSING_NAME, NEWER_STORE])
def test_what_fails_after_an_upgrade_asks_for_a_restart(
    replaced: Path, error: Exception, *, is_deleted: bool
) -> None:
    if is_deleted:
        replaced.unlink()
    with pytest.raises(ToolError) as raised:
        failing(error)
    assert str(raised.value) == UPGRADED


@pytest.mark.usefixtures("replaced")
def test_a_refusal_stays_the_same_after_an_upgrade() -> None:
    with pytest.raises(ValueError, match="own words"):
        failing(ValueError("own words"))


@pytest.mark.usefixtures("replaced")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_memory_that_does_not_open_after_an_upgrade_asks_for_a_restart() -> None:
    with pytest.raises(ToolError) as raised:
        LazyMemory(lambda: fail(MISSING_NAME)).memory()
    for thread in threading.enumerate():
        if thread.name == "graphmem-open":
            thread.join()  # its error is this test's
    assert str(raised.value) == UPGRADED
