"""Which servers graphmem can use, said where an older one refuses a statement.

Asking for the version before that would cost every process a round trip.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import neo4j
from neo4j import exceptions

from graphmem.errors import DatabaseError
from graphmem.graph.errors import Target

# Year and month: the first of the tried ones whose vector indexes take all that graphmem sets.
OLDEST = (2026, 7)

_AGENT = re.compile(r"Neo4j/(?P<version>(?P<major>\d+)\.(?P<minor>\d+)\S*)")


@contextmanager
def old_servers_named(driver: neo4j.Driver, target: Target) -> Iterator[None]:
    """Say that the server is too old where it refuses a statement and its version explains why.

    Raises:
        DatabaseError: It is too old, instead of the error that it answered.
    """
    try:
        yield
    except exceptions.AuthError:  # asking with them again would count as another attempt
        raise
    except exceptions.ClientError as error:
        agent = ""
        with suppress(exceptions.Neo4jError, exceptions.DriverError, OSError):
            agent = driver.get_server_info().agent
        if (version := too_old(agent)) is None:
            raise
        year, month = OLDEST
        raise DatabaseError(
            f"the server at {target.address} is Neo4j {version}, and graphmem needs "
            f"{year}.{month:02} or newer: update that server, or unset NEO4J_URI to use the "
            "private one"
        ) from error


def too_old(agent: str) -> str | None:
    """The version in what a server calls itself, such as `Neo4j/5.26.0`, if it is too old.

    Args:
        agent: As the driver reports it; of an unknown form, it is taken for new enough.
    """
    match = _AGENT.match(agent)
    if match is None or (int(match["major"]), int(match["minor"])) >= OLDEST:
        return None
    return match["version"]
