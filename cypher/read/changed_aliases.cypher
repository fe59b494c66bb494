// Gives the entities of which an alias was changed after a moment.
// $project  string
// $path     string, how the path of the alias stands in the JSON of a revision
// $moment   datetime
// $limit    integer, the most entities
// -> key: string
CYPHER 25
MATCH (change:GraphmemChange)
WHERE change.project = $project AND change.at IS NOT NULL
  AND coalesce(change.last_at, change.at) > $moment
MATCH (revision:GraphmemRevision {change: change.id})
  USING INDEX SEEK revision:GraphmemRevision(change)
WHERE revision.at > $moment AND revision.before CONTAINS $path
RETURN DISTINCT revision.key AS key
ORDER BY key
LIMIT $limit
