// Brings passages that an entity keeps in step with it: shared fields, places and authors.
// $rows  list of maps {key, shared, positions, authors}: the entity's key, the shared fields that change, maps of the ids of the passages to their positions and to their authors where those change
// -> written: integer
CYPHER 25
UNWIND $rows AS row
MATCH (entity:Entity {key: row.key})-[:HAS_PASSAGE]->(passage)
WHERE row.positions[passage.id] IS NOT NULL
SET passage += row.shared,
  passage.position = row.positions[passage.id],
  passage.asserted_by = coalesce(row.authors[passage.id], passage.asserted_by)
RETURN count(passage) AS written
