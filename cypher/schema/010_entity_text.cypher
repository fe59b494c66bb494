// Finds entities of several passages by everything they say: operators hold over all of it.
CYPHER 25
CREATE FULLTEXT INDEX graphmem_entity_text IF NOT EXISTS
FOR (entity:Entity) ON EACH [
  entity.graphmem_text,
  entity.graphmem_called,
  entity.graphmem_identifier_parts,
  entity.graphmem_filters,
  entity.name,
  entity.title,
  entity.aliases,
  entity.tags,
  entity.kind,
  entity.category
]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'standard-no-stop-words'}}
