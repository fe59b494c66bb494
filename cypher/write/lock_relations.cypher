// Locks the starts of relations until the transaction ends, and gives what is stored of the relations.
// $rows  list of maps {start, end, relation, since}, sorted: two keys; the type and when it begins, or null for all
// -> start: string, end: string, relation: string, since: string, stored: map
CYPHER 25
UNWIND $rows AS row
MATCH (start:Entity {key: row.start})
MATCH (end:Entity {key: row.end})
// include store/relations_of_row
SET start.key = row.start
RETURN row.start AS start, row.end AS end, type(relation) AS relation,
  relation.graphmem_since AS since, properties(relation) AS stored
ORDER BY start, end, relation, since
