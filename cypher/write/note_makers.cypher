// Has entities that an import has brought with their history be made by the changes that it tells of.
// $rows    list of maps {key, change}: an entity's key; a change's id, or null
// $source  string, the import
// -> written: integer
CYPHER 25
UNWIND $rows AS row
MATCH (entity:Entity {key: row.key})
WHERE entity.graphmem_source = $source
SET entity.graphmem_change = row.change
RETURN count(entity) AS written
