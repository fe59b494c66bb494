// Gives the revisions of entities, the newest first.
// $keys   list of string
// $limit  integer, the most of one entity
// -> key: string, revision: integer, at: datetime, before: string (as JSON), change: map
CYPHER 25
UNWIND $keys AS key
CALL (key) {
  MATCH (revision:GraphmemRevision {key: key})
  RETURN revision
  ORDER BY revision.revision DESC
  LIMIT $limit
}
OPTIONAL MATCH (change:GraphmemChange {id: revision.change})
RETURN key, revision.revision AS revision, revision.at AS at, revision.before AS before,
  coalesce(change {.id, .verb, .by, .note, .author, .undoes, .source}, {id: revision.change}) AS change
ORDER BY key, revision DESC
