// Creates relations, or sets all properties of those that exist; one without both of its ends is left out.
// $rows  list of maps {start, end, relation, since, token, properties}: two keys, the type, when it begins or an empty text, how the start notes that it was taken away, all properties
// -> written: integer
CYPHER 25
UNWIND $rows AS row
MATCH (start:Entity {key: row.start})
MATCH (end:Entity {key: row.end})
// include store/own_relation
SET relation = row.properties
SET relation.graphmem_since = row.since
SET start.graphmem_unlinked = [barred IN start.graphmem_unlinked WHERE barred <> row.token]
RETURN count(relation) AS written
