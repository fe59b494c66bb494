"""The statements of `cypher/` in a transaction: parameters checked, rows in Python's own types."""

from collections.abc import Mapping
from datetime import UTC
from typing import Any, Protocol

import neo4j
import neo4j.time

from graphmem import statements

Row = dict[str, Any]
_PLAIN = frozenset({str, int, float, bool, type(None)})


class Reader(Protocol):
    """What reading statements are run by: a connection, or a transaction that sees its writes."""

    def read(self, name: str, /, **parameters: object) -> list[Row]:
        """Run one reading statement and give its rows."""


class Transaction:
    """The statements of one managed transaction: all of them happen or none."""

    def __init__(self, driver_transaction: neo4j.ManagedTransaction) -> None:
        self._driver_transaction = driver_transaction

    def run(self, name: str, /, **parameters: object) -> list[Row]:
        """Run a statement by its name and give its rows.

        Raises:
            TypeError: The parameters are not those its header declares.
        """
        statement = load_checked(name, parameters)
        result = self._driver_transaction.run(
            statement.sent_text, statement.sent_parameters(parameters)
        )
        return [row(record) for record in result]

    def read(self, name: str, /, **parameters: object) -> list[Row]:
        """Run a reading statement, which sees what this transaction wrote.

        Raises:
            TypeError: It is none, or the parameters are not those its header declares.
        """
        if load_checked(name, parameters).access != "read":
            raise TypeError(f"{name} is not a reading statement")
        return self.run(name, **parameters)


def load_checked(name: str, parameters: Mapping[str, object]) -> statements.Statement:
    """Load a statement.

    Raises:
        TypeError: The parameters are not those its header declares.
    """
    statement = statements.load(name)
    if statement.parameters != parameters.keys():
        raise TypeError(
            f"{name} takes {sorted(statement.parameters)}, not {sorted(parameters)}: "
            "the header of its file says what they mean"
        )
    return statement


def row(record: neo4j.Record) -> Row:
    """Give a record's values by column, dates and times as Python has them, in UTC."""
    return {
        name: value if type(value) in _PLAIN else _native(value)
        for name, value in zip(record.keys(), record.values(), strict=True)
    }


def _native(value: Any) -> Any:  # noqa: ANN401 - whatever the database holds
    # Most of what is in a list or a map is plain, and a call for each takes longer than a look.
    if isinstance(value, list):
        return [item if type(item) in _PLAIN else _native(item) for item in value]
    if isinstance(value, Mapping):
        return {
            name: item if type(item) in _PLAIN else _native(item) for name, item in value.items()
        }
    if isinstance(value, neo4j.time.DateTime):
        return value.to_native().astimezone(UTC)
    return value.to_native() if isinstance(value, neo4j.time.Date) else value
