// Gives the revisions that changes made after a moment, of each entity the newest first.
// $changes  list of string, ids
// $moment   datetime
// $limit    integer, the most revisions
// -> key: string, revision: integer, at: datetime, before: string (as JSON)
CYPHER 25
UNWIND $changes AS id
MATCH (revision:GraphmemRevision {change: id})
WHERE revision.at > $moment
WITH revision
LIMIT $limit
RETURN revision.key AS key, revision.revision AS revision, revision.at AS at,
  revision.before AS before
ORDER BY key, revision DESC
