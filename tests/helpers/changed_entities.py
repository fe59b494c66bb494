"""An entity that tests change, and how they read it."""

from typing import Any

from graphmem.memory import Memory

CACHE: dict[str, Any] = {
    "name": "Redis cache",
    "kind": "Decision",
    "title": "Cache in Redis",
    "text": "Sessions are kept in Redis.",
    "tags": ["infra", "old"],
    "observations": ["It is fast.", "It is cheap."],
    "attributes": {"owner": "ops"},
}


def remember_cache(memory: Memory) -> dict[str, Any]:
    """Store the cache with two neighbours; return its page."""
    memory.remember(
        [CACHE, {"name": "Session store"}, {"name": "Valkey"}],
        [
            {"from": "Redis cache", "relation": "SERVES", "to": "Session store", "note": "fast"},
            {"from": "Valkey", "relation": "REPLACES", "to": "Redis cache"},
        ],
    )
    return page(memory, "Redis cache")


def page(memory: Memory, name: str, project: str | None = None) -> dict[str, Any]:
    return memory.get(name, project=project)[0].to_json()


def without_times(page: dict[str, Any]) -> dict[str, Any]:
    return {k: v for k, v in page.items() if k not in {"updated_at", "revision"}}


def refusals(report: Any) -> list[str]:  # noqa: ANN401
    return [str(item.reason) for item in report.refused]
