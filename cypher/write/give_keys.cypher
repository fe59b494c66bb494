// Sets the keys of entities that have none, or no text with a project.
// $rows  list of maps {element, key}: the entity's element id, a key that no entity has
// -> written: integer
CYPHER 25
UNWIND $rows AS row
MATCH (entity:Entity)
WHERE elementId(entity) = row.element
  AND size(split(coalesce(toStringOrNull(entity.key), ''), '#')) = 1
SET entity.key = row.key
RETURN count(entity) AS written
