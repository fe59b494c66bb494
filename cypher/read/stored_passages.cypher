// Gives the title and the digests of the embedded passages of entities, so that none is embedded twice.
// $keys  list of string
// -> key: string, title: string or null, digests: list of string
CYPHER 25
UNWIND $keys AS key
MATCH (entity:Entity {key: key})
RETURN key, entity.title AS title,
  COLLECT {
    MATCH (entity)-[:HAS_PASSAGE]->(passage)
    WHERE passage.pending IS NULL
    RETURN passage.digest
  } AS digests
ORDER BY key
