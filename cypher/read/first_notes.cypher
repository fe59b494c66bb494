// Gives what a revision first noted of relations since a change made each of them.
// $rows  list of maps {start, path, change}: where a relation begins, its path in JSON, and the id of the change
// -> place: integer (of the row), before: string (as JSON)
CYPHER 25
UNWIND range(0, size($rows) - 1) AS place
CALL (place) {
  MATCH (revision:GraphmemRevision {key: $rows[place].start})
  WHERE revision.before CONTAINS $rows[place].path AND revision.before CONTAINS $rows[place].change
  RETURN revision.before AS before
  ORDER BY revision.revision
  LIMIT 1
}
RETURN place, before
ORDER BY place
