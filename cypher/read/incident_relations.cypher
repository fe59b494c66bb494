// Gives every relation that starts or ends at entities, each once.
// $keys  list of string
// -> start: string, end: string, relation: string, since: string, stored: map
CYPHER 25
MATCH (entity:Entity)-[relation:!HAS_PASSAGE]-(:Entity)
WHERE entity.key IN $keys
WITH DISTINCT relation
RETURN startNode(relation).key AS start, endNode(relation).key AS end, type(relation) AS relation,
  coalesce(relation.graphmem_since, '') AS since, properties(relation) AS stored
ORDER BY start, end, relation, since
