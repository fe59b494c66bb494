// Gives passages an embedding of the set that is being made, unless their text changed meanwhile.
// $rows      list of maps {key, id, digest, embedding}: the entity's key, the passage's id, the digest of what was embedded, vector of 32-bit floats
// $property  string, the property of the set
// -> written: integer
CYPHER 25
UNWIND $rows AS row
MATCH (entity:Entity {key: row.key})
// Locked before its passages are read: another process may just be writing them.
SET entity.key = row.key
WITH entity, row
MATCH (entity)-[:HAS_PASSAGE]->(passage {id: row.id})
WHERE passage.digest = row.digest
CALL db.create.setNodeVectorProperty(passage, $property, row.embedding)
RETURN count(passage) AS written
