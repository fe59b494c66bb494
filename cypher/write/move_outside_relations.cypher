// Gives relationships between entities and what graphmem did not write to other entities, up to a limit.
// $rows   list of maps {key, to}: the key of an entity, that of the one that gets its relationships
// $limit  integer, the most relationships that are moved
// -> moved: integer
CYPHER 25
UNWIND $rows AS row
MATCH (entity:Entity {key: row.key})-[relation]-(other)
WHERE NOT other:Entity AND NOT other:Passage
MATCH (target:Entity {key: row.to})
WITH target, relation, other, type(relation) AS kind, properties(relation) AS stored,
  startNode(relation) = other AS is_incoming
LIMIT $limit
WITH relation, kind, stored, CASE WHEN is_incoming THEN other ELSE target END AS start,
  CASE WHEN is_incoming THEN target ELSE other END AS end
CREATE (start)-[moved:$(kind)]->(end)
SET moved = stored
DELETE relation
RETURN count(moved) AS moved
