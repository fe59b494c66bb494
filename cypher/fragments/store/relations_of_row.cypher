// Gives the relations that a row names from one entity to another.
// <- row: map {start, end, relation, since}, start: node, end: node
// -> relation: relationship
CALL (row, start, end) {
  // With both ends at hand, or all relations of one are looked at for every row, and it may be a hub.
  MATCH (start)-[relation:!HAS_PASSAGE]->(end)
  WHERE (row.relation IS NULL OR type(relation) = row.relation)
    AND (row.since IS NULL OR relation.graphmem_since = row.since)
  RETURN relation
}
