"""The two projects of a move, and what a key of one is in the other."""

from dataclasses import dataclass

from graphmem import text


@dataclass(frozen=True, slots=True)
class Move:
    """The project that entities leave, and the one they go to."""

    start: str
    into: str

    def key(self, key: str) -> str:
        """The key in the other project for a key of this one; keys of third projects stay."""
        return f"{self.into}#{text.name_of(key)}" if text.project_of(key) == self.start else key

    def token(self, token: str) -> str:
        """The token of a barred relation in the other project."""
        relation_type, separator, name = token.partition(f" {self.start}#")
        return f"{relation_type} {self.into}#{name}" if separator else token
