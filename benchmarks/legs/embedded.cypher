// The passages of projects that have an embedding, with what it was made of.
CYPHER 25
MATCH (entity:Entity)-[:HAS_PASSAGE]->(passage:Passage)
WHERE entity.project IN $projects AND passage.embedding IS NOT NULL
RETURN entity.project AS project, entity.name AS name, entity.title AS title, entity.lead_in AS lead_in, passage.text AS text,
  passage.digest AS digest, passage.embedding AS embedding
ORDER BY project, entity.key, passage.position
