// Gives the names and kinds of entities.
// $keys  list of string
// -> key: string, name: string, kind: string
CYPHER 25
MATCH (entity:Entity)
WHERE entity.key IN $keys AND entity.name IS NOT NULL
RETURN entity.key AS key, entity.name AS name, entity.kind AS kind
ORDER BY key
