"""Folders of code written for a test, and what the importer reads of them."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from graphmem.model import Entity, Item, Relation
from graphmem.transfer import FORMATS, LeftOut


@dataclass
class ReadCode:
    """What was read: entities by name, links but CONTAINS as text, reasons by place."""

    entities: dict[str, Entity]
    links: set[str]
    contains: set[str]
    relations: list[Relation]
    refused: dict[str, str]
    left_out: dict[str, str]

    def symbols(self, path: str) -> list[tuple[str, str, int, int]]:
        """Kind, symbol, first and last line of what a file defines."""
        return [
            (
                str(entity.kind),
                str(entity.attributes["symbol"]),
                int(str(entity.attributes["start_line"])),
                int(str(entity.attributes["end_line"])),
            )
            for entity in self.entities.values()
            if entity.source == path and entity.kind != "File"
        ]


def write(folder: Path, files: Mapping[str, str | bytes]) -> Path:
    """Write files by their paths."""
    for path, content in files.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content.encode() if isinstance(content, str) else content)
    return folder


def read(path: Path) -> ReadCode:
    """Read a file or folder as `import code` does."""
    values = [(row.place, row.value) for row in FORMATS["code"].read(path)]
    relations = [value for _, value in values if isinstance(value, Relation)]
    shown = {(one.relation, f"{one.start} {one.relation} {one.end}") for one in relations}
    return ReadCode(
        entities={value.name: value for _, value in values if isinstance(value, Entity)},
        links={said for relation, said in shown if relation != "CONTAINS"},
        contains={said for relation, said in shown if relation == "CONTAINS"},
        relations=relations,
        refused={place: value.reason or "" for place, value in values if isinstance(value, Item)},
        left_out={place: value.reason for place, value in values if isinstance(value, LeftOut)},
    )


def links(folder: Path, files: Mapping[str, str | bytes]) -> set[str]:
    """The links of a folder of these files."""
    return read(write(folder, files)).links
