// No two writers share a node for their requests, so a second try of a write waits for the first.
CYPHER 25
CREATE CONSTRAINT graphmem_request_id IF NOT EXISTS
FOR (request:GraphmemRequest) REQUIRE request.id IS UNIQUE
