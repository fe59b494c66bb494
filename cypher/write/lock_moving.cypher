// Locks those of some entities that are there until the transaction ends, and gives what is stored.
// $keys  list of string, sorted, so that two writers lock in the same order
// -> key: string, name: string (that of the key where it has none), stored: map (without what is made of the passages), passages: integer
CYPHER 25
UNWIND $keys AS key
MATCH (entity:Entity {key: key})
SET entity.key = key
WITH key, entity
RETURN key, coalesce(entity.name, substring(key, size(split(key, '#')[0]) + 1)) AS name,
  entity {.*, graphmem_called: null, graphmem_text: null, graphmem_identifier_parts: null} AS stored,
  COUNT { (entity)-[:HAS_PASSAGE]->() } AS passages
ORDER BY key
