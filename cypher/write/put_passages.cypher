// Adds passages to entities; one without an embedding waits for the model.
// $rows      list of maps {key, properties, embedding}: the entity's key, the passage's properties, vector of 32-bit floats or null
// $property  string, the property of the set of embeddings
// -> written: integer, embedding_set: integer (the number of the set that is searched now)
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
  CALL db.create.setNodeVectorProperty(passage, $property, $rows[place].embedding)
}
WITH count(passage) AS written
// include store/embedding_set
RETURN written, embedding_set
