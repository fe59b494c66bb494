// Sets all properties of relations that exist, but for the change that made them.
// $rows  list of maps {start, end, relation, since, properties}: two keys, the type, when it begins or an empty text, all properties
// -> written: integer
CYPHER 25
UNWIND $rows AS row
MATCH (start:Entity {key: row.start})
MATCH (end:Entity {key: row.end})
// include store/relations_of_row
WITH row, relation, relation.graphmem_change AS change
SET relation = row.properties
SET relation.graphmem_since = row.since, relation.graphmem_change = change
RETURN count(relation) AS written
