// Gives the kinds of entities and how their texts begin.
// $keys  list of string
// -> key: string, kind: string, text: string or null (its first passage)
CYPHER 25
UNWIND $keys AS key
MATCH (entity:Entity {key: key})
RETURN entity.key AS key, entity.kind AS kind, [
  (entity)-[:HAS_PASSAGE]->(passage) WHERE passage.origin = 'text' AND passage.position = 0 | passage.text
][0] AS text
ORDER BY key
