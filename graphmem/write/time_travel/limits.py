"""Limits of what one transaction takes back: a small server must have the memory for it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from graphmem.batches import batches
from graphmem.errors import InvalidInput
from graphmem.graph import Reader
from graphmem.model.json_object import iso

MOST_ENTITIES = 5000
MOST_REVISIONS = 50_000
MOST_PASSAGES = 15_000
# Counted for each entity that has changed, so a relation between two of them counts twice.
MOST_RELATIONS = 40_000
# Of the present texts, of the revisions, and of the notes on relations.
MOST_CHARACTERS = 12_000_000
ROWS = 500


@dataclass(slots=True)
class Amount:
    """Adds up how much a search of the past would take back, before any of it is read.

    Args:
        reader: The store.
        moment: To which it goes back.
        characters: How many there were until now.
    """

    reader: Reader
    moment: datetime
    characters: int = 0

    def add_revisions(self, changes: Sequence[str]) -> None:
        """Add the revisions that changes have made since.

        Raises:
            InvalidInput: It is too much.
        """
        (row,) = self.reader.read(
            "read/revised_sizes",
            changes=list(changes), moment=self.moment, limit=MOST_REVISIONS + 1,
        )  # fmt: skip
        self._check(row["revisions"], MOST_REVISIONS, "revisions")
        self._add(row["characters"])

    def add_entities(self, keys: Sequence[str]) -> None:
        """Add entities that have changed since, with all they have.

        Raises:
            InvalidInput: It is too much.
        """
        self._check(len(keys), MOST_ENTITIES, "entities")
        passages = relations = 0
        for batch in batches(keys, most=ROWS):
            for row in self.reader.read("read/sizes", keys=batch):
                passages += row["passages"]
                self._add(row["characters"])
            self._check(passages, MOST_PASSAGES, "passages")
            limit = MOST_RELATIONS + 1 - relations
            (row,) = self.reader.read("read/incident_sizes", keys=batch, limit=limit)
            relations += row["relations"]
            self._check(relations, MOST_RELATIONS, "relations")
            self._add(row["characters"])

    def _add(self, characters: int) -> None:
        self.characters += characters
        self._check(self.characters, MOST_CHARACTERS, "characters")

    def _check(self, count: int, most: int, unit: str) -> None:
        if count <= most:
            return
        amount = f"{count:,}" if unit == "entities" else f"more than {most:,}"
        raise InvalidInput(
            "as_of",
            iso(self.moment),
            f"must be later: what changed since then has {amount} {unit}, and at most {most:,} can "
            "be undone",
            hint="Name a later moment, or fewer projects; `show NAME --as-of`, or over MCP "
            "`history` with `as_of`, looks at one entity.",
        )
