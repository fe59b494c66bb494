// Gives the passages of entities that have no embedding, with what is embedded of them.
// $keys  list of string, keys of the entities
// -> key: string, id: string, digest: string, name: string, title: string, lead_in: string, text: string
CYPHER 25
UNWIND $keys AS key
MATCH (entity:Entity {key: key})-[:HAS_PASSAGE]->(passage:Passage)
WHERE passage.embedding IS NULL
RETURN key, passage.id AS id, passage.digest AS digest, entity.name AS name,
  entity.title AS title, entity.lead_in AS lead_in, passage.text AS text
ORDER BY key, passage.position
