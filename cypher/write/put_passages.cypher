// Adds passages to entities; one without an embedding waits for the model.
// $rows  list of maps {key, properties, embedding}: the entity's key, the passage's properties, list of float or null
// -> written: integer
CYPHER 25
UNWIND $rows AS row
MATCH (entity:Entity {key: row.key})
CREATE (entity)-[:HAS_PASSAGE]->(passage:Passage)
SET passage = row.properties
WITH passage, row.embedding AS embedding
CALL (passage, embedding) {
  WITH passage, embedding
  WHERE embedding IS NOT NULL
  CALL db.create.setNodeVectorProperty(passage, 'embedding', embedding)
}
RETURN count(passage) AS written
