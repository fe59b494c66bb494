// Finds the keys that lead to an entity.
CYPHER 25
CREATE INDEX graphmem_redirect_target IF NOT EXISTS
FOR (redirect:GraphmemRedirect) ON (redirect.target)
