// Gives the changes of projects that began, or went on, after a moment.
// $projects  list of string
// $moment    datetime
// -> id: string, project: string, at: datetime, last_at: datetime (until when it went on), is_after: boolean (whether it began after the moment)
CYPHER 25
UNWIND $projects AS project
MATCH (change:GraphmemChange)
WHERE change.project = project AND change.at IS NOT NULL
  AND coalesce(change.last_at, change.at) > $moment
RETURN change.id AS id, project, change.at AS at, coalesce(change.last_at, change.at) AS last_at, change.at > $moment AS is_after
ORDER BY at, id
