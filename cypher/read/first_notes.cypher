// Gives what a revision first noted of relations since a change made each of them.
// $rows    list of maps {start, path, change}: where a relation begins, its path in JSON with how an object begins there, and the id of the change
// $prefix  string, how each path begins
// -> place: integer (of the row), before: string (as JSON)
CYPHER 25
UNWIND range(0, size($rows) - 1) AS place
WITH $rows[place].start AS start, collect(place) AS places
CALL (start, places) {
  MATCH (revision:GraphmemRevision {key: start})
  // Most revisions note no relation; those that do are read once for all relations.
  WHERE revision.before CONTAINS $prefix
  WITH places, revision
  ORDER BY revision.revision
  UNWIND places AS place
  WITH place, revision
  WHERE revision.before CONTAINS $rows[place].path AND revision.before CONTAINS $rows[place].change
  RETURN place, collect(revision.before)[0] AS before
}
RETURN place, before
ORDER BY place
