// Assigns changes of a project to another one.
// $project  string
// $into     string, the other one
// $limit    integer, the most that are changed
// -> written: integer
CYPHER 25
MATCH (change:GraphmemChange)
WHERE change.project = $project AND change.at IS NOT NULL
WITH change
LIMIT $limit
SET change.project = $into
RETURN count(*) AS written
