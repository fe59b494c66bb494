// One node holds what the store was made with: its schema version and embedding model.
CYPHER 25
CREATE CONSTRAINT graphmem_store_id IF NOT EXISTS
FOR (store:Graphmem) REQUIRE store.id IS UNIQUE
