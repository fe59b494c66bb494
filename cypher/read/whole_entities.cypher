// Gives those of some entities that are there, with their texts and without their relations.
// $keys  list of string
// -> entity: map, passages: list of map
CYPHER 25
UNWIND $keys AS key
MATCH (entity:Entity {key: key})
RETURN entity {.*, graphmem_called: null, graphmem_filters: null, graphmem_handles: null,
    graphmem_identifier_parts: null, graphmem_names: null, graphmem_text: null} AS entity,
  COLLECT {
    MATCH (entity)-[:HAS_PASSAGE]->(passage:Passage)
    RETURN passage {.text, .origin, .position, .created_at, .source, .confidence,
      .valid_from, .valid_until, .asserted_by}
    ORDER BY passage.position
  } AS passages
ORDER BY key
