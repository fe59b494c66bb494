// Gives a page of the keys of a project's entities, in their order.
// $project  string
// $after    string, the last key of the page before, or an empty string
// $limit    integer
// -> key: string
CYPHER 25
MATCH (entity:Entity {project: $project})
  USING INDEX SEEK entity:Entity(key)
// The keys of a project begin with its name and `#`, behind which `$` comes next.
WHERE entity.key >= $project + '#' AND entity.key < $project + '$' AND entity.key > $after
RETURN entity.key AS key
ORDER BY key
LIMIT $limit
