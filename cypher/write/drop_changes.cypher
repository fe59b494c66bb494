// Deletes changes of a project, up to a limit.
// $project  string
// $limit    integer, the most that are deleted
// -> deleted: integer
CYPHER 25
MATCH (change:GraphmemChange)
WHERE change.project = $project AND change.at IS NOT NULL
WITH change
LIMIT $limit
DELETE change
RETURN count(*) AS deleted
