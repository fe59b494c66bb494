"""How a process of ours imports what it needs: quickly. For the terminal and the server alone.

Python looks for garbage in cycles of objects after every few hundred new ones, and thrice when a
process ends. What was imported is never garbage, and looking through it takes longer than a search.
"""

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

# The driver imports these where they are installed, so that it can be handed their values; it is
# handed lists and numbers only, and numpy alone is a third of the time its import takes.
DRIVER_EXTRAS = ("numpy", "pandas", "pyarrow")


@contextmanager
def uncollected() -> Iterator[None]:
    """Look for no garbage meanwhile."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


@cache
def keep_imported() -> None:
    """Never look for garbage in what there is by now; once in a process, then nothing is done."""
    gc.freeze()


@contextmanager
def without(*names: str) -> Iterator[None]:
    """Have imports of these libraries fail meanwhile, as if they were not installed.

    One that is imported already stays. No other thread may import them at the same time.
    """
    absent = [name for name in names if name not in sys.modules]
    # None is how Python notes a module that cannot be imported.
    sys.modules.update(dict.fromkeys(absent))  # type: ignore[arg-type]
    try:
        yield
    finally:
        for name in absent:
            del sys.modules[name]
