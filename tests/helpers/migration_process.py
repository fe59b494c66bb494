"""Brings the store of `GRAPHMEM_HOME` up to date and stops for ever on the way, to be killed there.

Argument: `between` to stop after the first page is committed, `inside` to stop in a transaction
that has changed its page.
"""

import sys
from dataclasses import replace
from functools import partial

from graphmem import migrations, settings
from graphmem.graph import Transaction
from graphmem.memory.store.connecting import connect
from graphmem.progress import SILENT, Silent
from python_programs import wait_to_be_killed


class Stops(Silent):
    """A listener that never returns once something was done."""

    def advance(self, task: str, done: int, total: int) -> None:  # noqa: ARG002 - the protocol's
        if done:
            wait_to_be_killed()


def stops_inside(
    migration: migrations.Migration, transaction: Transaction, keys: list[str]
) -> bool:
    assert migration.change is not None
    migration.change(transaction, keys)
    wait_to_be_killed()
    return True


def main() -> None:
    table: tuple[migrations.Migration, ...] = migrations.MIGRATIONS
    if sys.argv[1] == "inside":
        table = tuple(
            replace(migration, change=partial(stops_inside, migration)) for migration in table
        )
    with connect(settings.load(), read_only=False, progress=SILENT) as graph:
        migrations.migrate(graph, migrations=table, page=3, progress=Stops())


if __name__ == "__main__":
    main()
