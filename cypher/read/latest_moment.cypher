// Gives the latest moment from which changes of some projects are, within a time.
// $projects  list of string
// $since     datetime, the first moment
// $until     datetime, the last moment
// -> at: datetime or null (that there is none)
CYPHER 25
UNWIND $projects AS project
CALL (project) {
  MATCH (change:GraphmemChange)
  WHERE change.project = project AND change.at >= $since AND change.at <= $until
  RETURN change.at AS at
  ORDER BY change.at DESC
  LIMIT 1
}
RETURN max(at) AS at
