// Makes or updates relations between entities that exist; the rows of one call are distinct.
// $rows  list of maps {start, end, relation, properties, created_at}: two keys, the type, the properties given, the moment used when it is new
// -> start: string, end: string, relation: string, created: boolean, changed: boolean
CYPHER 25
UNWIND $rows AS row
MATCH (start:Entity {key: row.start})
MATCH (end:Entity {key: row.end})
MERGE (start)-[relation:$(row.relation)]->(end)
WITH row, relation, relation.created_at IS NULL AS created, properties(relation) AS before
SET relation += row.properties,
  relation.created_at = coalesce(row.properties.created_at, before.created_at, row.created_at)
RETURN row.start AS start, row.end AS end, row.relation AS relation, created,
  properties(relation) <> before AS changed
ORDER BY start, end, relation
