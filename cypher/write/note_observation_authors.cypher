// Notes who made observations of which nobody is noted: the unknown author where their entity has one, or else the caller.
// $keys   list of string, keys of the entities, sorted, so that two writers lock in the same order
// $limit  integer, the most observations that are changed
// -> changed: integer
CYPHER 25
UNWIND $keys AS key
MATCH (entity:Entity {key: key})-[:HAS_PASSAGE]->(passage:Passage)
WHERE passage.origin = 'observation' AND passage.asserted_by IS NULL
WITH entity, passage
LIMIT $limit
SET passage.asserted_by = [CASE WHEN 'unknown' IN entity.asserted_by THEN 'unknown' ELSE 'caller' END]
RETURN count(passage) AS changed
