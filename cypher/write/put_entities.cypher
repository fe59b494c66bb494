// Changes entities, labels included.
// $rows  list of maps {key, properties, add, remove}: the properties that change, null for one that goes, labels to add, labels to remove
// -> written: integer
CYPHER 25
// A row that went along would be counted and held again at every step.
UNWIND range(0, size($rows) - 1) AS place
MATCH (entity:Entity {key: $rows[place].key})
SET entity += $rows[place].properties
REMOVE entity:$($rows[place].remove)
SET entity:$($rows[place].add)
RETURN count(entity) AS written
