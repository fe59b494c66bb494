"""The statuses that mean something to graphmem; any other text is a status as well."""

from graphmem.errors import listed

ACTIVE = "active"
# Hidden by `forget`, by `supersede`, by whoever writes the status, and by an import whose source
# has the entity no more.
FORGOTTEN = "forgotten"
SUPERSEDED = "superseded"
DEPRECATED = "deprecated"
REMOVED = "removed"
# Entities that have one of them are left out of a search that asks for no status.
HIDDEN_STATUSES = (FORGOTTEN, SUPERSEDED, DEPRECATED, REMOVED)
ALL_BUT_HIDDEN = f"all but {listed(HIDDEN_STATUSES)}"
