// Notes on entities that an import brought with their history which imported change created each.
// $rows    list of maps {key, change}: an entity's key; a change's id, or null
// $source  string, the import
// -> written: integer
CYPHER 25
UNWIND $rows AS row
MATCH (entity:Entity {key: row.key})
WHERE entity.graphmem_source = $source
SET entity.graphmem_change = row.change
RETURN count(entity) AS written
