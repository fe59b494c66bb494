"""What makes a relation the same one."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from graphmem.model.entity import Relation
from graphmem.model.period import ALWAYS, relation_name, since


@dataclass(frozen=True, slots=True, order=True)
class RelationIdentity:
    """What makes a relation the same one: the keys of its ends, its type, and when it begins.

    Relations are told apart by this alone, in Python and in the rows of the statements: another
    field here, and in `own_relation.cypher` and `relations_of_row.cypher` of the folder
    `cypher/fragments/store`, tells more of them apart.

    Args:
        start: The key of the entity where it begins.
        end: The key of the entity where it ends.
        relation: Its type.
        since: When it begins to hold, as `period.since` writes it; empty where nothing is said.
    """

    start: str
    end: str
    relation: str
    since: str = ALWAYS

    @classmethod
    def between(cls, start: str, end: str, relation: Relation) -> "RelationIdentity":
        """The identity of a relation whose ends have these keys."""
        return cls(start, end, relation.relation, since(relation.valid_from))

    @classmethod
    def of_row(cls, row: Mapping[str, Any]) -> "RelationIdentity":
        """Read the columns of a statement, which have the names of the fields."""
        return cls(row["start"], row["end"], row["relation"], row["since"])

    def moved(self, keys: Mapping[str, str]) -> "RelationIdentity":
        """The identity of the same relation between the entities to which its ends' keys lead."""
        return replace(
            self, start=keys.get(self.start, self.start), end=keys.get(self.end, self.end)
        )

    def to_row(self) -> dict[str, Any]:
        """Write it as the fields of a statement's row."""
        return asdict(self)

    @property
    def token(self) -> str:
        """The text by which the start entity notes that a caller removed the relation.

        No type and no key has two spaces side by side.
        """
        return f"{self.relation} {self.end}" + (f"  {self.since}" if self.since else "")

    @classmethod
    def of_token(cls, start: str, token: str) -> "RelationIdentity":
        """Read what `token` gives of a relation of a start, whose project its end shares.

        A type may have spaces, and so may a project: the type ends where the project begins.
        """
        project = start.partition("#")[0]
        relation, separator, remainder = token.partition(f" {project}#")
        name, _, beginning = remainder.partition("  ")
        return cls(start, f"{project}#{name}" if separator else "", relation, beginning)

    def __str__(self) -> str:
        """Write it for people, keys without their project."""
        start, end = (key.partition("#")[2] for key in (self.start, self.end))
        return relation_name(start, self.relation, end, self.since)
