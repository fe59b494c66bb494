// Deletes blank entities, which were created only to lock their keys.
// $keys  list of string
// -> deleted: integer
CYPHER 25
UNWIND $keys AS key
MATCH (entity:Entity {key: key})
WHERE entity.name IS NULL
DETACH DELETE entity
RETURN count(*) AS deleted
