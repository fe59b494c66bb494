"""Stores of earlier versions, kept as text in `store_files/`, and how they get into a database.

`scripts/write_store_file.py` wrote them with the code of their version.
"""

from __future__ import annotations

import json
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import neo4j

FOLDER = Path(__file__).parents[1] / "store_files"
NAMES = sorted(path.stem for path in FOLDER.glob("*.json"))


def read(name: str, *, folder: str = "/imported") -> dict[str, Any]:
    """The nodes, the relations and the answers of a store.

    Args:
        name: Of the file, without its ending.
        folder: Stands for the folder that was imported.
    """
    text = (FOLDER / f"{name}.json").read_text(encoding="utf-8")
    store: dict[str, Any] = json.loads(text.replace("{folder}", folder))
    return store


def load(session: neo4j.Session, store: dict[str, Any]) -> None:
    """Put a store in place of everything that a database holds."""
    session.run("MATCH (node) DETACH DELETE node").consume()
    nodes = [
        {"number": number, "labels": node["labels"], "properties": _typed(node["properties"])}
        for number, node in enumerate(store["nodes"])
    ]
    links = [link | {"properties": _typed(link["properties"])} for link in store["relations"]]
    session.run(
        "UNWIND $nodes AS row CREATE (node:$(row.labels)) "
        "SET node = row.properties, node.number = row.number",
        nodes=nodes,
    ).consume()
    session.run(
        "UNWIND $links AS row MATCH (start {number: row.start}), (end {number: row.end}) "
        "CREATE (start)-[link:$(row.type)]->(end) SET link = row.properties",
        links=links,
    ).consume()
    session.run("MATCH (node) REMOVE node.number").consume()


def _typed(properties: dict[str, Any]) -> dict[str, Any]:
    """Moments and days as what they were."""
    return {name: _value(value) for name, value in properties.items()}


def _value(value: object) -> object:
    if isinstance(value, dict) and "datetime" in value:
        return datetime.fromisoformat(value["datetime"])
    return date.fromisoformat(value["date"]) if isinstance(value, dict) else value
