// Makes or updates relations between entities that exist; the rows of one call are distinct.
// $rows  list of maps {start, end, relation, properties, created_at}: two keys, the type, the properties given, the moment used when it is new
// -> start: string, end: string, relation: string, created: boolean, changed: boolean
CYPHER 25
UNWIND $rows AS row
MATCH (start:Entity {key: row.start})
MATCH (end:Entity {key: row.end})
MERGE (start)-[relation:$(row.relation)]->(end)
// What was derived from a text never changes what somebody said, and becomes theirs who say it.
WITH row, relation, relation.created_at IS NULL AS created, properties(relation) AS before,
  coalesce(row.properties.derived = true, false) AS derives
WITH row, relation, created, before, derives, coalesce(before.derived = true, false) AS derived
WITH row, relation, created, before, derives, derived,
  derives AND NOT created AND NOT derived
    AND coalesce(before.imported <> row.properties.imported, true) AS stays
SET relation += CASE
    WHEN derived AND NOT derives THEN {derived: null, weight: null, imported: null}
    ELSE {}
  END
SET relation += CASE WHEN stays THEN {} ELSE row.properties END
SET relation.created_at = CASE
    WHEN stays THEN before.created_at
    ELSE coalesce(row.properties.created_at, before.created_at, row.created_at)
  END
RETURN row.start AS start, row.end AS end, row.relation AS relation, created,
  properties(relation) <> before AS changed
ORDER BY start, end, relation
