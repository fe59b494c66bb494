// Gives those of some entities whose only passage has a period, and that lack a filter token.
// $keys  list of string
// $word  string, the filter token
// -> key: string
CYPHER 25
UNWIND $keys AS key
MATCH (entity:Entity {key: key})
WHERE NOT entity.graphmem_filters CONTAINS $word
  AND COUNT { (entity)-[:HAS_PASSAGE]->() } = 1
  AND EXISTS {
    MATCH (entity)-[:HAS_PASSAGE]->(passage:Passage)
    WHERE passage.valid_from IS NOT NULL OR passage.valid_until IS NOT NULL
  }
RETURN key
ORDER BY key
