// Gives those of some keys that belong or redirect to an entity.
// $keys  list of string
// -> key: string, target: string
CYPHER 25
UNWIND $keys AS key
OPTIONAL MATCH (entity:Entity {key: key})
WHERE entity.name IS NOT NULL
OPTIONAL MATCH (redirect:GraphmemRedirect {key: key})
WITH key, coalesce(entity.key, redirect.target) AS target
WHERE target IS NOT NULL
RETURN key, target
ORDER BY key
