// Gives passages that wait for the model their embedding, unless their text changed meanwhile.
// $rows      list of maps {key, id, digest, embedding}: the entity's key, the passage's id, the digest of what was embedded, vector of 32-bit floats
// $property  string, the property of the set of embeddings
// -> written: integer, embedding_set: integer (the number of the set that is searched now)
CYPHER 25
UNWIND $rows AS row
MATCH (entity:Entity {key: row.key})
// Locked before its passages are read: another process may just be writing them.
SET entity.key = row.key
WITH entity, row
MATCH (entity)-[:HAS_PASSAGE]->(passage {id: row.id})
WHERE passage.digest = row.digest
REMOVE passage.pending
WITH passage, row
CALL db.create.setNodeVectorProperty(passage, $property, row.embedding)
WITH count(passage) AS written
// include store/embedding_set
RETURN written, embedding_set
