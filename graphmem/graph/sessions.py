"""The driver's sessions, which an interrupt ends at once."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

import neo4j
from neo4j.api import BookmarkManager


@contextmanager
def opened(
    driver: neo4j.Driver, database: str | None, access: str, bookmarks: BookmarkManager | None
) -> Iterator[neo4j.Session]:
    """Open a session and close it in the end.

    When Ctrl-C comes, its connection is broken off. To leave it in order, the driver would wait for
    the answer to the statement that runs, and read it into a buffer that the interrupted call may
    still hold.
    """
    with driver.session(
        database=database, default_access_mode=access, bookmark_manager=bookmarks
    ) as session:
        try:
            yield session
        except (KeyboardInterrupt, SystemExit):
            session.__exit__(asyncio.CancelledError, None, None)  # type: ignore[no-untyped-call] # of the driver
            raise
