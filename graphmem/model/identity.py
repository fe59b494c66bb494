"""What makes a relation the same one."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True, order=True)
class RelationIdentity:
    """What makes a relation the same one: the keys of its ends, and its type.

    Relations are told apart by this alone, in Python and in the rows of the statements: another
    field here, and in the `MERGE` and `MATCH` of those statements, tells more of them apart.

    Args:
        start: The key of the entity where it begins.
        end: The key of the entity where it ends.
        relation: Its type.
    """

    start: str
    end: str
    relation: str

    @classmethod
    def of_row(cls, row: Mapping[str, Any]) -> "RelationIdentity":
        """Read the columns of a statement, which have the names of the fields."""
        return cls(row["start"], row["end"], row["relation"])

    def to_row(self) -> dict[str, Any]:
        """Write it as the fields of a statement's row."""
        return asdict(self)

    @property
    def token(self) -> str:
        """How the start notes that a caller took the relation away."""
        return f"{self.relation} {self.end}"

    def __str__(self) -> str:
        """Write it as `start -[TYPE]-> end`, keys without their project."""
        start, end = (key.partition("#")[2] for key in (self.start, self.end))
        return f"{start} -[{self.relation}]-> {end}"
