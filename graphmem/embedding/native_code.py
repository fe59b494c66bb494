"""Native code that the end of the process waits for.

A process that ends stops its daemon threads where they next want to run Python. Within a call of
C++ or Rust that aborts the process, although all that it was asked for is done. Torch is not waited
for: it takes seconds to be imported, and complains when that happens while a process ends.
"""

import atexit
import concurrent.futures.thread  # noqa: F401 - onnxruntime needs it, and it must be imported before the end
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

# An export is loaded in far less.
SECONDS = 20.0


class _Calls:
    """Counts the calls of native code that are under way."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._own = threading.local()
        self._count = 0
        self._is_ending = False

    def begin(self) -> None:
        """Note that a thread enters native code; while the process ends, no daemon thread does."""
        depth = getattr(self._own, "depth", 0)
        with self._changed:
            while self._is_ending and not depth and threading.current_thread().daemon:
                self._changed.wait()
            self._count += 1
        self._own.depth = depth + 1

    def end(self) -> None:
        """Note that a thread has left it."""
        self._own.depth -= 1
        with self._changed:
            self._count -= 1
            self._changed.notify_all()

    def await_end(self) -> None:
        """Wait until no thread is in native code."""
        with self._changed, suppress(KeyboardInterrupt):
            self._is_ending = True
            self._changed.wait_for(lambda: not self._count, SECONDS)


_CALLS = _Calls()
atexit.register(_CALLS.await_end)


@contextmanager
def native_code() -> Iterator[None]:
    """Let the end of the process wait for what another thread does here, at most 20 seconds.

    The main thread is not counted: it runs the end itself. Ctrl-C can interrupt it anywhere, also
    between the count and the block that takes it back.
    """
    if threading.current_thread() is threading.main_thread():
        yield
        return
    _CALLS.begin()
    try:
        yield
    finally:
        _CALLS.end()
