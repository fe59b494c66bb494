// Gives those of some entities that have a field or a custom attribute with the name of a period's end.
// $keys  list of string
// -> key: string
CYPHER 25
UNWIND $keys AS key
MATCH (entity:Entity {key: key})
WHERE entity.valid_from IS NOT NULL
  OR entity.valid_until IS NOT NULL
  OR entity.graphmem_assertions CONTAINS '"attribute/valid_from":'
  OR entity.graphmem_assertions CONTAINS '"attribute/valid_until":'
RETURN key
ORDER BY key
