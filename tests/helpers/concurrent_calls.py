"""Calls at the same time, as processes and people make them."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor


def at_once(*calls: Callable[[], object]) -> None:
    """Make calls at the same moment, each in a thread of its own; what one raises is raised."""
    together = threading.Barrier(len(calls))

    def begin(call: Callable[[], object]) -> None:
        together.wait()
        call()

    with ThreadPoolExecutor(len(calls)) as threads:
        for ending in [threads.submit(begin, call) for call in calls]:
            ending.result()
