// Deletes those of some entities that have neither passages nor relations any more.
// $keys  list of string
// -> key: string
CYPHER 25
UNWIND $keys AS key
MATCH (entity:Entity {key: key})
WHERE NOT EXISTS { (entity)--() }
DELETE entity
RETURN key
ORDER BY key
