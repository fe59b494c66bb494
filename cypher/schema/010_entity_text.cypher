// Finds entities of several passages by everything they say: operators hold over all of it.
CYPHER 25
CREATE FULLTEXT INDEX graphmem_entity_text IF NOT EXISTS
FOR (entity:Entity) ON EACH [
  entity.text,
  entity.called,
  entity.identifier_parts,
  entity.filters,
  entity.name,
  entity.title,
  entity.aliases,
  entity.tags,
  entity.kind,
  entity.category
]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'standard-no-stop-words'}}
