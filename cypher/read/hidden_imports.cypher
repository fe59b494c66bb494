// Gives those of some entities that an import brought in, a caller has forgotten, and of which no author is noted.
// $keys  list of string
// -> key: string
CYPHER 25
UNWIND $keys AS key
MATCH (entity:Entity {key: key})
WHERE entity.asserted_by IS NULL AND entity.imported IS NOT NULL AND entity.status = 'forgotten'
RETURN entity.key AS key
ORDER BY key
