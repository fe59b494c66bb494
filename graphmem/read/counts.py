"""What a project holds, in numbers."""

from dataclasses import dataclass

from graphmem.graph import Graph


@dataclass(frozen=True, slots=True)
class Stats:
    """What a project holds; the counts by name are in falling order."""

    project: str
    entities: int
    relations: int
    passages: int
    pending: int
    kinds: dict[str, int]
    statuses: dict[str, int]
    tags: dict[str, int]
    types: dict[str, int]

    def to_json(self) -> dict[str, object]:
        """Write the counts as JSON values."""
        return {
            "project": self.project,
            "entities": self.entities,
            "relations": self.relations,
            "passages": self.passages,
            "pending": self.pending,
            "kinds": self.kinds,
            "statuses": self.statuses,
            "tags": self.tags,
            "relation_types": self.types,
        }


def stats(graph: Graph, project: str) -> Stats:
    """Count what a project holds; `pending` are the passages that wait for the model."""
    row = graph.read("read/stats", project=project)[0]
    counted = {
        name: {one["name"]: one["count"] for one in row[name]}
        for name in ("kinds", "statuses", "tags", "types")
    }
    return Stats(
        project=project,
        entities=row["entities"],
        relations=row["relations"],
        passages=row["passages"],
        pending=row["pending"],
        **counted,
    )
