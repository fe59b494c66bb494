// Gives a change and the revisions that it made.
// $id  string
// -> change: map, revisions: list of map
CYPHER 25
MATCH (change:GraphmemChange {id: $id})
RETURN properties(change) AS change,
  COLLECT {
    MATCH (revision:GraphmemRevision {change: $id})
    RETURN revision {.key, .revision, .before}
    ORDER BY revision.key, revision.revision DESC
  } AS revisions
ORDER BY change.id
