// Gives entities as they are stored, with all that a write compares, and without locking them.
// $keys  list of string
// -> key: string, stored: map, labels: list of string, passages: list of map
CYPHER 25
UNWIND $keys AS key
MATCH (entity:Entity {key: key})
WHERE entity.name IS NOT NULL
RETURN entity.key AS key, properties(entity) AS stored, labels(entity) AS labels,
  COLLECT {
    MATCH (entity)-[:HAS_PASSAGE]->(passage)
    RETURN passage {.id, .text, .origin, .position, .created_at, .source, .confidence, .digest,
      .asserted_by, .pending}
    ORDER BY passage.position
  } AS passages
ORDER BY key
