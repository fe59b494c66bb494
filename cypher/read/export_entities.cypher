// Gives a page of a project's entities whole, in the order of their keys.
// $project  string
// $after    string, the last key of the page before, or an empty string
// $limit    integer
// -> entity: map, passages: list of map
CYPHER 25
MATCH (entity:Entity {project: $project})
WHERE entity.key > $after
WITH entity
ORDER BY entity.key
LIMIT $limit
RETURN properties(entity) AS entity,
  COLLECT {
    MATCH (entity)-[:HAS_PASSAGE]->(passage)
    RETURN passage {.text, .origin, .position, .created_at, .source, .confidence,
      .asserted_by}
    ORDER BY passage.position
  } AS passages
ORDER BY entity.key
