// Gives what entities said at a path before a change of it, and who had said that.
// $keys    list of string
// $change  string, the change
// $path    string, the path as a revision has it, in quotation marks and with a colon
// -> key: string, before: string (as JSON), author: string or null
CYPHER 25
UNWIND $keys AS key
MATCH (entity:Entity {key: key})
CALL (key) {
  MATCH (revision:GraphmemRevision {key: key})
  WHERE revision.change = $change AND revision.before CONTAINS $path
  RETURN revision
  ORDER BY revision.revision
  LIMIT 1
}
// Who said it is who changed it last before that, or else made the entity.
CALL (key, revision) {
  OPTIONAL MATCH (earlier:GraphmemRevision {key: key})
  WHERE earlier.revision < revision.revision AND earlier.before CONTAINS $path
  RETURN earlier.change AS change
  ORDER BY earlier.revision DESC
  LIMIT 1
}
OPTIONAL MATCH (writing:GraphmemChange {id: coalesce(change, entity.graphmem_change)})
RETURN key, revision.before AS before, writing.by AS author
ORDER BY key
