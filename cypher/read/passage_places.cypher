// Gives where entities come from, and where some of their passages stand in them.
// $rows  list of maps {key, texts}: the entity's key, passages as answers give them, without space around
// -> key: string, source: string or null, passages: list of map
CYPHER 25
UNWIND $rows AS row
MATCH (entity:Entity {key: row.key})
RETURN entity.key AS key, entity.source AS source,
  COLLECT {
    MATCH (entity)-[:HAS_PASSAGE]->(passage:Passage)
    WHERE any(text IN row.texts WHERE passage.text CONTAINS text)
    RETURN passage {.text, .origin, .position}
    ORDER BY passage.position
  } AS passages
ORDER BY key
