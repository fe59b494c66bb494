// Finds the entities of a project, for counting and export.
CYPHER 25
CREATE INDEX graphmem_entity_project IF NOT EXISTS
FOR (entity:Entity) ON (entity.project)
