// Gives relations of entities that are moved, with their element ids, which are valid within the transaction.
// $keys   list of string, keys of the entities, which are locked
// $limit  integer, the most relations that are given
// -> id: string, start: string, end: string, relation: string, since: string, stored: map
CYPHER 25
UNWIND $keys AS key
MATCH (:Entity {key: key})-[relation:!HAS_PASSAGE]-(:Entity)
WITH DISTINCT relation
LIMIT $limit
// Nobody else changes it meanwhile.
SET relation.graphmem_since = coalesce(relation.graphmem_since, '')
WITH relation, startNode(relation) AS start, endNode(relation) AS end
RETURN elementId(relation) AS id, start.key AS start, end.key AS end, type(relation) AS relation,
  relation.graphmem_since AS since, properties(relation) AS stored
ORDER BY start, end, relation, since, id
