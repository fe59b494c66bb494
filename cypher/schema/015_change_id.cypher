// No two calls share a change.
CYPHER 25
CREATE CONSTRAINT graphmem_change_id IF NOT EXISTS
FOR (change:GraphmemChange) REQUIRE change.id IS UNIQUE
