"""Programs in Python that a test runs in a process of their own."""

import os
import subprocess
import sys
import threading
from collections.abc import Mapping

SECONDS = 300


def run_python(
    program: str,
    *arguments: str,
    environment: Mapping[str, str] | None = None,
    check: bool = False,
) -> subprocess.CompletedProcess[str]:
    """Run a program to its end.

    Args:
        program: Its text.
        arguments: What it has in `sys.argv`, from 1 on.
        environment: More variables than this process has.
        check: Whether it must end with 0.
    """
    return subprocess.run(
        [sys.executable, "-c", program, *arguments],
        env=os.environ | (environment or {}),
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=check,
    )


def wait_to_be_killed() -> None:
    """Say in a program that it has reached its place, and stay there for ever."""
    sys.stdout.write("reached\n")
    sys.stdout.flush()
    threading.Event().wait()
