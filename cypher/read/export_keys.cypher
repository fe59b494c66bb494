// Gives a page of the keys of a project's entities, in their order.
// $project  string
// $after    string, the last key of the page before, or an empty string
// $limit    integer
// -> key: string
CYPHER 25
MATCH (entity:Entity {project: $project})
WHERE entity.key > $after
RETURN entity.key AS key
ORDER BY key
LIMIT $limit
