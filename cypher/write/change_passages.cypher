// Changes passages that an entity keeps: what they repeat of it, and what is their own.
// $rows      list of maps {key, shared, passages, embeddings}: the entity's key, the fields that all these passages repeat, maps of the passages' ids to their own properties, null for one that goes, and to vectors of 32-bit floats, of those that have a new embedding
// $property  string, the property of the set of embeddings
// -> written: integer, embedding_set: integer (the number of the set that is searched now)
CYPHER 25
// A row that went along would be counted and held again at every step.
UNWIND range(0, size($rows) - 1) AS place
MATCH (entity:Entity {key: $rows[place].key})-[:HAS_PASSAGE]->(passage:Passage)
WHERE $rows[place].passages[passage.id] IS NOT NULL
SET passage += $rows[place].shared
SET passage += $rows[place].passages[passage.id]
WITH passage, place, passage.id AS id
CALL (passage, place, id) {
  WITH passage, place, id
  WHERE $rows[place].embeddings[id] IS NOT NULL
  CALL db.create.setNodeVectorProperty(passage, $property, $rows[place].embeddings[id])
}
WITH count(passage) AS written
// include store/embedding_set
RETURN written, embedding_set
