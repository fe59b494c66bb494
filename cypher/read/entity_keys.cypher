// Gives a page of the keys of a store's entities, all projects together, in their order.
// $after  string, the last key of the page before, or an empty string
// $limit  integer
// -> key: string
CYPHER 25
MATCH (entity:Entity)
WHERE entity.key > $after
RETURN entity.key AS key
ORDER BY key
LIMIT $limit
