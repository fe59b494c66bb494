// Finds or makes the relation of a row, and locks its ends until the transaction ends.
// <- row: map {start, end, relation, since, …}, start: node, end: node
// -> relation: relationship
SET start.key = row.start, end.key = row.end
WITH row, start, end
// MERGE of a type that a row names may be planned as a look at all relations of that type, which then
// gives those between other entities too (Neo4j 2026.09).
CALL (row, start, end) {
  OPTIONAL MATCH (start)-[known]->(end)
  WHERE type(known) = row.relation AND known.graphmem_since = row.since
  WITH count(known) AS number
  WHERE number = 0
  CREATE (start)-[:$(row.relation) {graphmem_since: row.since}]->(end)
}
CALL (row, start, end) {
  MATCH (start)-[relation]->(end)
  WHERE type(relation) = row.relation AND relation.graphmem_since = row.since
  RETURN relation
  LIMIT 1
}
