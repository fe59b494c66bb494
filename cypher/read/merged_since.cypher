// Gives the entities that were merged into others since a change had created them; some may be back.
// $project  string
// $since    datetime or null, when the change was made
// $maker    string, how the change stands in the JSON of the revision that tells of the merge
// -> key: string
CYPHER 25
MATCH (change:GraphmemChange)
WHERE change.project = $project AND change.at IS NOT NULL
  AND coalesce(change.last_at, change.at) >= $since
MATCH (revision:GraphmemRevision {change: change.id})
  USING INDEX SEEK revision:GraphmemRevision(change)
WHERE revision.before CONTAINS $maker
RETURN DISTINCT revision.key AS key
ORDER BY key
