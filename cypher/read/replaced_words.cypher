// Gives what entities said at some paths before a change of them, and who had said that.
// $keys    list of string
// $change  string, the change
// $paths   list of string, each a path as a revision has it, in quotation marks and with a colon
// -> key: string, path: string, before: string (as JSON), author: string or null
CYPHER 25
UNWIND $keys AS key
UNWIND $paths AS path
MATCH (entity:Entity {key: key})
CALL (key, path) {
  MATCH (revision:GraphmemRevision {key: key})
  WHERE revision.change = $change AND revision.before CONTAINS path
  RETURN revision
  ORDER BY revision.revision
  LIMIT 1
}
// Who said it is who changed it last before that, or else made the entity.
CALL (key, path, revision) {
  OPTIONAL MATCH (earlier:GraphmemRevision {key: key})
  WHERE earlier.revision < revision.revision AND earlier.before CONTAINS path
  RETURN earlier.change AS change
  ORDER BY earlier.revision DESC
  LIMIT 1
}
OPTIONAL MATCH (writing:GraphmemChange {id: coalesce(change, entity.graphmem_change)})
RETURN key, path, revision.before AS before, writing.by AS author
ORDER BY key, path
