// Sets the keys of entities that have none.
// $rows  list of maps {element, key}: the entity's element id, a key that no entity has
// -> written: integer
CYPHER 25
UNWIND $rows AS row
MATCH (entity:Entity)
WHERE elementId(entity) = row.element AND entity.key IS NULL
SET entity.key = row.key
RETURN count(entity) AS written
