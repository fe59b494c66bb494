// Gives passages their embedding, unless their text changed meanwhile.
// $rows  list of maps {key, id, digest, embedding}: the entity's key, the passage's id, the digest of what was embedded, list of float
// -> written: integer
CYPHER 25
UNWIND $rows AS row
MATCH (entity:Entity {key: row.key})-[:HAS_PASSAGE]->(passage {id: row.id})
WHERE passage.digest = row.digest
REMOVE passage.pending
WITH passage, row
CALL db.create.setNodeVectorProperty(passage, 'embedding', row.embedding)
RETURN count(passage) AS written
