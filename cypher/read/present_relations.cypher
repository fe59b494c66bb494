// Gives those of some relations that exist.
// $rows  list of maps {start, end, relation, since}: keys of the ends, type, and when it begins
// -> start: string, end: string, relation: string, since: string
CYPHER 25
UNWIND $rows AS row
MATCH (start:Entity {key: row.start})
MATCH (end:Entity {key: row.end})
// include store/relations_of_row
RETURN row.start AS start, row.end AS end, row.relation AS relation, row.since AS since
ORDER BY start, end, relation, since
