// Gives the tokens of relations that a caller removed although an import asserts them; see `bar_relations`.
// $keys  list of string, keys of starts
// -> key: string, unlinked: list of string
CYPHER 25
UNWIND $keys AS key
MATCH (entity:Entity {key: key})
WHERE entity.graphmem_unlinked IS NOT NULL
RETURN key, entity.graphmem_unlinked AS unlinked
ORDER BY key
