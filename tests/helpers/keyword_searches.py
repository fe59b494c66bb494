"""Searches by words in the project of a test alone."""

from typing import Any

from graphmem.memory import Memory
from graphmem.model import Answer


def find(memory: Memory, query: str = "unusualword", **options: Any) -> Answer:  # noqa: ANN401 - those of `search`
    """Search by words, without an own query for what the seeds of `test_expansion` say."""
    return memory.search(query, **({"mode": "keyword", "scope": "project"} | options))
