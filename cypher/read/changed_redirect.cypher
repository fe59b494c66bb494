// Gives the first revision after a moment that changed where a key leads.
// $project  string, the key's
// $path     string, how the path of what it leads to stands in the JSON of a revision
// $moment   datetime
// -> key: string, before: string (as JSON)
CYPHER 25
MATCH (change:GraphmemChange)
WHERE change.project = $project AND change.at IS NOT NULL
  AND coalesce(change.last_at, change.at) > $moment
MATCH (revision:GraphmemRevision {change: change.id})
  USING INDEX SEEK revision:GraphmemRevision(change)
WHERE revision.at > $moment AND revision.before CONTAINS $path
RETURN revision.key AS key, revision.before AS before
ORDER BY revision.at, key, revision.revision
LIMIT 1
