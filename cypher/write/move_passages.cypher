// Brings the passages an entity keeps in step with it: shared fields, places and authors.
// $rows  list of maps {key, shared, positions, authors}: the entity's key, the fields that every passage repeats, maps of passage id to position and of passage id to its authors
// -> written: integer
CYPHER 25
UNWIND $rows AS row
MATCH (entity:Entity {key: row.key})-[:HAS_PASSAGE]->(passage)
SET passage += row.shared,
  passage.position = coalesce(row.positions[passage.id], passage.position),
  passage.asserted_by = coalesce(row.authors[passage.id], passage.asserted_by)
RETURN count(passage) AS written
