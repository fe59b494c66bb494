// Gives the relations of a type that start at an entity, or that end at it.
// $key       string, the entity's
// $relation  string, the type
// $starts    boolean, whether those that start at it are asked for
// $limit     integer, the most relations
// -> start: string, end: string, relation: string, since: string, stored: map
CYPHER 25
MATCH (entity:Entity {key: $key})-[relation:!HAS_PASSAGE]-(other:Entity)
WHERE type(relation) = $relation
  AND (CASE WHEN $starts THEN startNode(relation) ELSE endNode(relation) END) = entity
WITH startNode(relation).key AS start, endNode(relation).key AS end, relation
LIMIT $limit
RETURN start, end, type(relation) AS relation, coalesce(relation.graphmem_since, '') AS since,
  properties(relation) AS stored
ORDER BY start, end, relation, since
