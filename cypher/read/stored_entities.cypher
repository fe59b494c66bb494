// Gives entities as they are stored, with all that a write compares, and without locking them.
// $keys  list of string
// -> key: string, stored: map (without what is made of the passages), labels: list of string, passages: list of map
CYPHER 25
UNWIND $keys AS key
MATCH (entity:Entity {key: key})
WHERE entity.name IS NOT NULL
RETURN entity.key AS key,
  entity {.*, graphmem_called: null, graphmem_text: null, graphmem_identifier_parts: null} AS stored,
  labels(entity) AS labels,
  COLLECT {
    MATCH (entity)-[:HAS_PASSAGE]->(passage:Passage)
    RETURN passage {.id, .text, .origin, .position, .created_at, .source, .confidence, .valid_from,
      .valid_until, .digest, .asserted_by, .pending}
    ORDER BY passage.position
  } AS passages
ORDER BY key
