// Gives the revisions that changed relations of other entities to one after a moment, of each the newest first.
// $project  string, the entity's
// $key      string, the entity's
// $endings  list of string, how the path of such a relation ends in the JSON of a revision
// $moment   datetime
// $limit    integer, the most revisions
// -> key: string, before: string (as JSON)
CYPHER 25
MATCH (change:GraphmemChange)
WHERE change.project = $project AND change.at IS NOT NULL
  AND coalesce(change.last_at, change.at) > $moment
MATCH (revision:GraphmemRevision {change: change.id})
  USING INDEX SEEK revision:GraphmemRevision(change)
WHERE revision.at > $moment AND revision.key <> $key
  AND any(ending IN $endings WHERE revision.before CONTAINS ending)
RETURN revision.key AS key, revision.before AS before
ORDER BY key, revision.revision DESC
LIMIT $limit
