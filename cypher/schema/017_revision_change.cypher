// Finds what a change has changed.
CYPHER 25
CREATE INDEX graphmem_revision_change IF NOT EXISTS
FOR (revision:GraphmemRevision) ON (revision.change)
