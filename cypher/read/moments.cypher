// Gives the moments of changes.
// $ids  list of string
// -> id: string, at: datetime
CYPHER 25
MATCH (change:GraphmemChange)
WHERE change.id IN $ids
RETURN change.id AS id, change.at AS at
ORDER BY id
