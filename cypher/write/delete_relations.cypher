// Deletes relations between two entities.
// $rows  list of maps {start, end, relation}: two keys, the type or null for every type
// -> start: string, end: string, relation: string
CYPHER 25
UNWIND $rows AS row
MATCH (start:Entity {key: row.start})-[relation:!HAS_PASSAGE]->(end:Entity {key: row.end})
WHERE row.relation IS NULL OR type(relation) = row.relation
WITH row, relation, type(relation) AS kind
DELETE relation
RETURN row.start AS start, row.end AS end, kind AS relation
ORDER BY start, end, relation
