// Gives those of some changes that exist.
// $ids  list of string
// -> change: map
CYPHER 25
UNWIND $ids AS id
MATCH (change:GraphmemChange {id: id})
RETURN change {.id, .at, .verb, .by, .note, .author, .undoes, .project, .source} AS change
ORDER BY change.id
