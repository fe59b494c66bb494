// Gives a page of the keys of a project's entities, in their order, and whether each lives.
// $first  string, the project's name with the `#` behind it
// $last   string, the first text behind all keys of the project
// $after  string, the last key of the page before, or an empty string
// $limit  integer
// -> key: string, live: boolean
CYPHER 25
MATCH (entity:Entity)
WHERE entity.key >= $first AND entity.key < $last AND entity.key > $after
RETURN entity.key AS key, coalesce(entity.live = true, true) AS live
ORDER BY key
LIMIT $limit
