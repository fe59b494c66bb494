// Finds what an entity was before.
CYPHER 25
CREATE INDEX graphmem_revision_key IF NOT EXISTS
FOR (revision:GraphmemRevision) ON (revision.key)
