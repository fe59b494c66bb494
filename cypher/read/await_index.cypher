// Waits until one index is online.
// $name     string
// $seconds  integer
CYPHER 25
CALL db.awaitIndex($name, $seconds)
