// Notes who asserts entities of which nobody is noted: an unknown author of what an import brought in, or else the caller.
// $keys  list of string, sorted, so that two writers lock in the same order
// -> changed: integer
CYPHER 25
UNWIND $keys AS key
MATCH (entity:Entity {key: key})
WHERE entity.asserted_by IS NULL
SET entity.asserted_by = [CASE WHEN entity.imported IS NULL THEN 'caller' ELSE 'unknown' END]
RETURN count(entity) AS changed
