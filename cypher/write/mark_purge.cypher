// Marks entities as chosen by a purge, or takes the mark away, as an edit of them does, and a relation that is taken from them.
// $keys  list of string
// $mark  string, made of the rules on relations by which they were chosen, or null for no mark
// -> marked: integer
CYPHER 25
UNWIND $keys AS key
MATCH (entity:Entity {key: key})
SET entity.graphmem_purge = $mark
RETURN count(entity) AS marked
