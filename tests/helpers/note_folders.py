"""Folders of notes as tests write them, and what the importer makes of them."""

from pathlib import Path

from graphmem.model import Entity, Item, Relation
from graphmem.transfer import FORMATS, Row

# The paths of a small vault, and what each note is called.
VAULT = {
    "Home.md": "Home",
    "README.md": "README",
    "guides/README.md": "guides/README",
    "guides/Berth booking.md": "Berth booking",
    "guides/deep/README.md": "guides/deep/README",
    "guides/deep/x^2.md": "x^2",
    "guides/deep/Заметка.md": "Заметка",
}


def write(folder: Path, notes: dict[str, str]) -> Path:
    for path, content in notes.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content, encoding="utf-8")
    return folder


def read(folder: Path, notes: dict[str, str] | None = None) -> list[Row]:
    return list(FORMATS["markdown"].read(write(folder, notes or {})))


def entities(rows: list[Row]) -> dict[str, Entity]:
    return {row.place: row.value for row in rows if isinstance(row.value, Entity)}


def refusals(rows: list[Row]) -> dict[str, str | None]:
    return {row.place: row.value.reason for row in rows if isinstance(row.value, Item)}


def ends(rows: list[Row], place: str = "guides/from.md") -> list[str]:
    values = [row.value for row in rows if row.place == place]
    return [value.end for value in values if isinstance(value, Relation)]


def linked(folder: Path, content: str, place: str = "guides/from.md") -> list[str]:
    """The ends of the links of one more note in the vault."""
    return ends(read(folder, dict.fromkeys(VAULT, "Text.") | {place: content}), place)
