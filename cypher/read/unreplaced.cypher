// Gives those of some entities that are superseded, but by nothing that a search finds.
// $keys  list of string
// -> name: string
CYPHER 25
UNWIND $keys AS key
MATCH (entity:Entity {key: key})
WHERE toLower(entity.status) = 'superseded'
  AND NOT EXISTS { (entity)<-[:SUPERSEDES]-(:Entity {live: true}) }
RETURN entity.name AS name
ORDER BY name, key
