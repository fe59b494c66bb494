// Gives entities that have no key, as whoever makes one by hand leaves it.
// $limit  integer
// -> element: string, name: any, project: any
CYPHER 25
MATCH (entity:Entity)
WHERE entity.key IS NULL
RETURN elementId(entity) AS element, entity.name AS name, entity.project AS project
ORDER BY element
LIMIT $limit
