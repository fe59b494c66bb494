// Gives entities that have no key, as whoever makes one by hand leaves it, or something else in its place.
// $limit  integer
// -> element: string, name: any, project: any
CYPHER 25
MATCH (entity:Entity)
WHERE size(split(coalesce(toStringOrNull(entity.key), ''), '#')) = 1
RETURN elementId(entity) AS element, entity.name AS name, entity.project AS project
ORDER BY element
LIMIT $limit
