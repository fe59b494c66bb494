// Sets entities as they shall be, labels included.
// $rows  list of maps {key, properties, add, remove}: all own properties, labels to add, labels to remove
// -> written: integer
CYPHER 25
UNWIND $rows AS row
MATCH (entity:Entity {key: row.key})
SET entity = row.properties
REMOVE entity:$(row.remove)
SET entity:$(row.add)
RETURN count(entity) AS written
