// Notes revisions that a file tells of.
// $rows  list of maps {key, revision, change, at, before}: before is what was there, as JSON
// -> written: integer
CYPHER 25
UNWIND $rows AS row
CREATE (revision:GraphmemRevision {key: row.key, revision: row.revision, change: row.change,
  at: row.at, before: row.before})
RETURN count(revision) AS written
