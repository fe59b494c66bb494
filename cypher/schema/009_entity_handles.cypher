// Finds entities by a whole name, title or alias; every handle is a digest, so no analyzer cuts it.
CYPHER 25
CREATE FULLTEXT INDEX graphmem_entity_handles IF NOT EXISTS
FOR (entity:Entity) ON EACH [entity.graphmem_handles, entity.graphmem_filters]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'whitespace'}}
