// Locks those of some entities that are there until the transaction ends.
// $keys  list of string, sorted, so that two writers lock in the same order
// -> locked: integer
CYPHER 25
UNWIND $keys AS key
MATCH (entity:Entity {key: key})
SET entity.key = key
RETURN count(entity) AS locked
