// Gives a page of entities, by key, with how many of their passages have no embedding, and how long those are.
// $after  string, the last key of the page before, or an empty string
// $limit  integer
// -> key: string, passages: integer, characters: integer
CYPHER 25
MATCH (entity:Entity)
WHERE entity.key > $after
WITH entity
ORDER BY entity.key
LIMIT $limit
CALL (entity) {
  MATCH (entity)-[:HAS_PASSAGE]->(passage:Passage)
  WHERE passage.embedding IS NULL
  RETURN count(passage) AS passages, sum(size(toStringOrNull(passage.text))) AS characters
}
RETURN entity.key AS key, passages, characters
ORDER BY key
