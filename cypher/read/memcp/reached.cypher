// Gives the living entities one relation away from any of some entities, and the first that leads to each.
// $keys   list of string
// $limit  integer
// -> key: string, parent: string
CYPHER 25
UNWIND $keys AS start
MATCH (entity:Entity {key: start})-[:!HAS_PASSAGE]-(other:Entity)
WHERE other.live AND other.project = entity.project
RETURN other.key AS key, min(start) AS parent
ORDER BY key
LIMIT $limit
