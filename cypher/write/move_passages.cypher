// Brings passages that an entity keeps in step with it: shared fields and places.
// $rows  list of maps {key, shared, positions}: the entity's key, the shared fields that change, a map of the ids of the passages to their positions
// -> written: integer
CYPHER 25
UNWIND $rows AS row
MATCH (entity:Entity {key: row.key})-[:HAS_PASSAGE]->(passage)
WHERE row.positions[passage.id] IS NOT NULL
SET passage += row.shared,
  passage.position = row.positions[passage.id]
RETURN count(passage) AS written
