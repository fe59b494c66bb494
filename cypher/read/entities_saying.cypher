// Gives those of some entities that have a property of one of the names, or a word of an author on such an attribute.
// $keys   list of string
// $names  list of string
// -> key: string
CYPHER 25
UNWIND $keys AS key
MATCH (entity:Entity {key: key})
WHERE any(name IN $names WHERE entity[name] IS NOT NULL
  OR entity.graphmem_assertions CONTAINS '"attribute/' + name + '":')
RETURN key
ORDER BY key
