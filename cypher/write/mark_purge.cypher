// Marks entities as chosen by a purge, or removes the mark; writes to them and deleted relations remove it too.
// $keys  list of string
// $mark  string, made of the rules on relations by which they were chosen, or null for no mark
// -> marked: integer
CYPHER 25
UNWIND $keys AS key
MATCH (entity:Entity {key: key})
SET entity.graphmem_purge = $mark
RETURN count(entity) AS marked
