// Brings passages that an entity keeps in step with it: shared fields and places.
// $rows  list of maps {key, shared, positions}: the entity's key, the shared fields that change, a map of the ids of the passages to their positions
// -> written: integer
CYPHER 25
// A row that went along would be counted and held again at every step.
UNWIND range(0, size($rows) - 1) AS place
MATCH (entity:Entity {key: $rows[place].key})-[:HAS_PASSAGE]->(passage)
WHERE $rows[place].positions[passage.id] IS NOT NULL
SET passage += $rows[place].shared,
  passage.position = $rows[place].positions[passage.id]
RETURN count(passage) AS written
