"""Migrations: numbered steps that bring an older store up to date, each run once.

A store notes the number of the last one: its version. Indexes are no migrations; they are compared
with their definitions whenever a store is opened for writing, and made where they are missing.

To change how something is stored, write a function that changes a page of entities and add its row
to `MIGRATIONS`; see `docs/migrations.md`.
"""

from graphmem.migrations.store import check, migrate, noted_version, prepare
from graphmem.migrations.table import MIGRATIONS, VERSION, Migration

__all__ = [
    "MIGRATIONS",
    "VERSION",
    "Migration",
    "check",
    "migrate",
    "noted_version",
    "prepare",
]
