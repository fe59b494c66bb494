MATCH (entity:Entity)-[:HAS_PASSAGE]->(node)
WITH entity, max(score) AS score
CALL (entity) {
  MATCH (entity)-[relation:!HAS_PASSAGE]-(neighbour:Entity)
  WITH relation, neighbour
  LIMIT 50
  RETURN collect({relation: type(relation), name: neighbour.name}) AS links
}
RETURN entity.key AS key, entity.name AS name, score, links
ORDER BY score DESC, key
