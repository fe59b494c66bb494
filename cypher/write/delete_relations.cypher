// Deletes relations between two entities, and the marks of a purge that may have chosen these by them.
// $rows  list of maps {start, end, relation, since}: two keys; the type and when it begins, or null for all
// -> start: string, end: string, relation: string, since: string
CYPHER 25
UNWIND $rows AS row
WITH row
// Both ends are locked.
ORDER BY row.start, row.end
MATCH (start:Entity {key: row.start})
MATCH (end:Entity {key: row.end})
// include store/relations_of_row
SET start.graphmem_purge = null, end.graphmem_purge = null
WITH row, relation, type(relation) AS kind, relation.graphmem_since AS since
DELETE relation
RETURN row.start AS start, row.end AS end, kind AS relation, since
ORDER BY start, end, relation, since
