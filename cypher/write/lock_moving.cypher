// Locks those of some entities that are there until the transaction ends, and gives what is stored.
// $keys  list of string, sorted, so that two writers lock in the same order
// -> key: string, stored: map (without what is made of the passages), passages: integer
CYPHER 25
UNWIND $keys AS key
MATCH (entity:Entity {key: key})
SET entity.key = key
WITH key, entity
RETURN key, entity {.*, called: null, text: null, identifier_parts: null} AS stored,
  COUNT { (entity)-[:HAS_PASSAGE]->() } AS passages
ORDER BY key
