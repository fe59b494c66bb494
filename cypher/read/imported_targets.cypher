// Gives the entity that each key leads to, with the import that brought it along with its history.
// $keys  list of string
// -> key: string, target: string, source: string or null, revision: integer or null (that it was brought with), change: string or null (that made it)
CYPHER 25
UNWIND $keys AS key
OPTIONAL MATCH (own:Entity {key: key})
WHERE own.name IS NOT NULL
OPTIONAL MATCH (redirect:GraphmemRedirect {key: key})
WITH key, coalesce(own.key, redirect.target) AS target
MATCH (entity:Entity {key: target})
WHERE entity.name IS NOT NULL
RETURN key, target, entity.graphmem_source AS source, entity.graphmem_brought AS revision,
  entity.graphmem_change AS change
ORDER BY key
