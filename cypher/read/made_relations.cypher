// Gives the relations of an entity that changes made, the newest first.
// $key    string
// $limit  integer
// -> change: map, start: string, end: string, start_name: string, end_name: string, relation: string, since: string, stored: map
CYPHER 25
MATCH (entity:Entity {key: $key})-[relation:!HAS_PASSAGE]-(other:Entity)
WHERE relation.graphmem_change IS NOT NULL
MATCH (change:GraphmemChange {id: relation.graphmem_change})
WITH change, relation, startNode(relation) AS start, endNode(relation) AS end
ORDER BY change.at DESC, type(relation), start.key, end.key
LIMIT $limit
RETURN properties(change) AS change, start.key AS start, end.key AS end, start.name AS start_name,
  end.name AS end_name, type(relation) AS relation,
  coalesce(relation.graphmem_since, '') AS since, properties(relation) AS stored
ORDER BY change.at DESC, relation, start, end
