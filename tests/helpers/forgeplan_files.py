"""A ForgePlan workspace, made for a test."""

from collections.abc import Mapping
from pathlib import Path


def workspace(folder: Path, files: Mapping[str, str]) -> Path:
    """Write files below `.forgeplan` of a folder."""
    for name, content in files.items():
        path = folder / ".forgeplan" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    return folder


def front(name: str, body: str = "", **fields: object) -> str:
    """An artifact of that id, with more fields of its front matter."""
    lines = [f"{field}: {value}" for field, value in {"id": name, **fields}.items()]
    return "\n".join(["---", *lines, "---", body])
