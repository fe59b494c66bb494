// Drops one index.
// $name  string
CYPHER 25
DROP INDEX $name IF EXISTS
