// Gives when the first recorded change of some projects was made.
// $projects  list of string
// -> at: datetime or null (that there is none)
CYPHER 25
UNWIND $projects AS project
CALL (project) {
  MATCH (change:GraphmemChange)
  WHERE change.project = project AND change.at IS NOT NULL
  RETURN change.at AS at
  ORDER BY change.at
  LIMIT 1
}
RETURN min(at) AS at
