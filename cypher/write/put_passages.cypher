// Adds passages to entities; one without an embedding waits for the model.
// $rows  list of maps {key, properties, embedding}: the entity's key, the passage's properties, list of float or null
// -> written: integer
CYPHER 25
// A row that went along would be counted and held again at every step.
UNWIND range(0, size($rows) - 1) AS place
MATCH (entity:Entity {key: $rows[place].key})
CREATE (entity)-[:HAS_PASSAGE]->(passage:Passage)
SET passage = $rows[place].properties
WITH passage, place
CALL (passage, place) {
  WITH passage, place
  WHERE $rows[place].embedding IS NOT NULL
  CALL db.create.setNodeVectorProperty(passage, 'embedding', $rows[place].embedding)
}
RETURN count(passage) AS written
