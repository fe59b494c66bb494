// Assigns revisions to the new keys of their entities.
// $rows  list of maps {key, revision, to, before}: the key, the number, the new key, and as JSON what was there before
// -> written: integer
CYPHER 25
UNWIND $rows AS row
MATCH (revision:GraphmemRevision {key: row.key, revision: row.revision})
SET revision.key = row.to, revision.before = row.before
RETURN count(*) AS written
