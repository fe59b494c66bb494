// Moves relations of entities to the entities of the same names in another project; gives what became of each.
// $keys   list of string, keys of the entities, each of which has its like there
// $from   string, the project
// $to     string, the other one
// $limit  integer, the most relations that are moved
// -> start: string, end: string, relation: string, since: string, moved: map
// -> stored: map or null, the relation of that identity that was there already and stays as it is
CYPHER 25
UNWIND $keys AS key
MATCH (:Entity {key: key})-[relation:!HAS_PASSAGE]-(:Entity)
WITH DISTINCT relation
LIMIT $limit
WITH relation, properties(relation) AS before, startNode(relation) AS first, endNode(relation) AS last
MATCH (start:Entity {key: CASE WHEN first.key IN $keys THEN $to + substring(first.key, size($from)) ELSE first.key END})
MATCH (end:Entity {key: CASE WHEN last.key IN $keys THEN $to + substring(last.key, size($from)) ELSE last.key END})
WITH relation, before, start, end, type(relation) AS kind, coalesce(before.graphmem_since, '') AS since
DELETE relation
MERGE (start)-[made:$(kind) {graphmem_since: since}]->(end)
WITH before, start, end, kind, since, made, properties(made) AS stored,
  made.created_at IS NULL AND made.asserted_by IS NULL AS is_new
SET made = CASE WHEN is_new THEN before ELSE stored END
SET made.graphmem_since = since
RETURN start.key AS start, end.key AS end, kind AS relation, since, before AS moved,
  CASE WHEN is_new THEN null ELSE stored END AS stored
ORDER BY start, end, relation, since
