// Gives passages that wait for the embedding model, with what is embedded of them.
// $limit  integer
// -> key: string, id: string, digest: string, name: string, title: string, text: string
CYPHER 25
MATCH (passage:Passage)
WHERE passage.pending = true
WITH passage
LIMIT $limit
MATCH (entity:Entity)-[:HAS_PASSAGE]->(passage)
RETURN entity.key AS key, passage.id AS id, passage.digest AS digest, entity.name AS name,
  entity.title AS title, passage.text AS text
ORDER BY key, passage.position
