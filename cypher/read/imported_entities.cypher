// Gives the living entities of a project that an import said.
// $project   string
// $imported  string, `format:path`, or null
// -> key: string, name: string, source: string or null
CYPHER 25
MATCH (entity:Entity {project: $project})
WHERE entity.imported = $imported AND entity.live
RETURN entity.key AS key, entity.name AS name, entity.source AS source
ORDER BY key
