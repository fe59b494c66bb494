// Creates changes of an export; one that exists stays as it is.
// $rows  list of maps {id, properties}: properties are a map {project, at, verb, by, note, author, undoes, source}
// -> written: integer
CYPHER 25
UNWIND $rows AS row
MERGE (change:GraphmemChange {id: row.id})
ON CREATE SET change += row.properties
RETURN count(change) AS written
