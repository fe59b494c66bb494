// Deletes passages of entities, up to a limit.
// $keys   list of string, keys of the entities
// $limit  integer, the most passages that are deleted
// -> deleted: integer
CYPHER 25
UNWIND $keys AS key
MATCH (entity:Entity {key: key})-[:HAS_PASSAGE]->(passage:Passage)
WITH passage
LIMIT $limit
DETACH DELETE passage
RETURN count(*) AS deleted
