// No two entities share a key; finds an entity by its key.
CYPHER 25
CREATE CONSTRAINT graphmem_entity_key IF NOT EXISTS
FOR (entity:Entity) REQUIRE entity.key IS UNIQUE
