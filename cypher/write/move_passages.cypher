// Brings the passages an entity keeps in step with it: shared fields and places.
// $rows  list of maps {key, shared, positions}: the entity's key, the fields that every passage repeats, a map of passage id to position
// -> written: integer
CYPHER 25
UNWIND $rows AS row
MATCH (entity:Entity {key: row.key})-[:HAS_PASSAGE]->(passage)
SET passage += row.shared,
  passage.position = coalesce(row.positions[passage.id], passage.position)
RETURN count(passage) AS written
