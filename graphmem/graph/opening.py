"""The driver of one target: how it connects, and to whom it speaks."""

import logging
from collections.abc import Callable
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

import neo4j

from graphmem.encryption import trusting
from graphmem.errors import ConfigurationError, DatabaseError, DatabaseUnavailable, shortened
from graphmem.graph.errors import Target, our_errors

# What the driver logs is raised as well; without a handler Python would print it on stderr.
logging.getLogger("neo4j").addHandler(logging.NullHandler())

# The driver takes others, too, among them http, for which it lacks a library.
_SCHEMES = ("bolt", "bolt+s", "bolt+ssc", "neo4j", "neo4j+s", "neo4j+ssc")


def open_driver(target: Target, is_served: Callable[[], bool]) -> neo4j.Driver:
    """Make a driver, which connects when it is first used.

    Args:
        target: The server; its certificate, where it has one, is the only one that is trusted.
        is_served: Asked before each connection whether the server is still there.

    Raises:
        ConfigurationError: The address has another scheme than those of Bolt, or is none.
        DatabaseError: The address or the credentials cannot be used.
    """
    if target.has_user_info:
        # The driver refuses it too, but takes a part of some passwords for the host and shows it.
        raise DatabaseError(
            f"{target.address} must be an address without a user name and a password; set "
            "NEO4J_USERNAME and NEO4J_PASSWORD instead"
        )
    _check_scheme(target)
    _check_location(target)
    auth = None if target.password is None else (target.username, target.password)
    with our_errors(target):
        return neo4j.GraphDatabase.driver(
            target.uri,
            auth=auth,
            connection_timeout=10,
            connection_acquisition_timeout=30,
            max_transaction_retry_time=15,
            initial_retry_delay=0.05,
            user_agent="graphmem",
            notifications_min_severity="OFF",
            warn_notification_severity="OFF",
            **_private(target, is_served),
        )


def _check_scheme(target: Target) -> None:
    scheme = target.uri.partition("://")[0].lower()
    if scheme in _SCHEMES and "://" in target.uri:
        return
    advice = ""
    if scheme in {"http", "https"}:
        advice = (
            "; this is the address of Neo4j Browser, not the one of Bolt, whose port is 7687 "
            "by default"
        )
    schemes = ", ".join(f"{name}://" for name in _SCHEMES[:-1])
    raise ConfigurationError(
        f"NEO4J_URI must begin with {schemes} or {_SCHEMES[-1]}://, "
        f"got {shortened(target.address)}{advice}"
    )


def _check_location(target: Target) -> None:
    """Refuse what the driver would show: an address may be a password that stands in its place."""
    with suppress(ValueError):  # the port is no number
        location = urlsplit(target.uri)
        takes_parameters = location.scheme.startswith("neo4j")
        if (
            location.port != 0
            and not location.fragment
            and (takes_parameters or not location.query)
        ):
            return
    raise ConfigurationError(
        "NEO4J_URI must have a number or nothing as its port, as in bolt://localhost:7687, and "
        "parameters after a `?` only if it begins with neo4j; set a password in NEO4J_PASSWORD"
    )


def _private(target: Target, is_served: Callable[[], bool]) -> dict[str, Any]:
    """Further options for the driver of a private server."""
    if target.certificate is None:
        return {}

    def address(requested: neo4j.Address) -> list[neo4j.Address]:
        # An error of ours ends the driver's own retries, which go on at a dead port for 15 s.
        if not is_served():
            raise DatabaseUnavailable(
                f"the private Neo4j no longer answers at {target.address}; "
                "run `graphmem doctor` to find out why"
            )
        return [requested]

    return {"ssl_context": trusting(target.certificate), "resolver": address}
