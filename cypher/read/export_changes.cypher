// Gives a page of the changes of a project, the oldest first.
// $project  string
// $after    datetime, the moment of the last change of the page before, or an early one
// $last     string, the id of that change, or an empty string
// $limit    integer
// -> change: map
CYPHER 25
MATCH (change:GraphmemChange)
WHERE change.project = $project AND change.at >= $after
  AND (change.at > $after OR change.id > $last)
WITH change
ORDER BY change.at, change.id
LIMIT $limit
RETURN change {.id, .at, .verb, .by, .note, .author, .undoes} AS change
ORDER BY change.at, change.id
