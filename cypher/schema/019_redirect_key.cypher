// No key leads to two entities.
CYPHER 25
CREATE CONSTRAINT graphmem_redirect_key IF NOT EXISTS
FOR (redirect:GraphmemRedirect) REQUIRE redirect.key IS UNIQUE
