// Gives those of some revisions that exist.
// $rows  list of maps {key, revision}
// -> key: string, revision: integer, change: string, at: datetime, before: string (as JSON)
CYPHER 25
UNWIND $rows AS row
MATCH (revision:GraphmemRevision {key: row.key, revision: row.revision})
RETURN revision.key AS key, revision.revision AS revision, revision.change AS change,
  revision.at AS at, revision.before AS before
ORDER BY key, revision
