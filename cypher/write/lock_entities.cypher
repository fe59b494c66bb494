// Finds or creates the entities of the keys, locks each until the transaction ends, and gives what is stored.
// $keys  list of string, sorted, so that two writers lock in the same order
// -> key: string, stored: map or null (without what is made of the passages), labels: list of string, passages: list of map, target: string or null (the key that this one leads to)
CYPHER 25
UNWIND $keys AS key
MERGE (entity:Entity {key: key})
SET entity.key = key
WITH entity
// Looked for behind the lock: whoever renames or merges an entity may just have committed.
OPTIONAL MATCH (redirect:GraphmemRedirect {key: entity.key})
WHERE entity.name IS NULL
RETURN entity.key AS key,
  CASE
    WHEN entity.name IS NULL THEN null
    ELSE entity {.*, graphmem_called: null, graphmem_text: null, graphmem_identifier_parts: null}
  END AS stored,
  labels(entity) AS labels,
  COLLECT {
    MATCH (entity)-[:HAS_PASSAGE]->(passage:Passage)
    RETURN passage {.id, .text, .origin, .position, .created_at, .source, .confidence, .valid_from,
      .valid_until, .digest, .asserted_by}
    ORDER BY passage.position
  } AS passages,
  redirect.target AS target
ORDER BY key
