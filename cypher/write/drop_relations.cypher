// Deletes relations that start or end at entities, up to a limit.
// $keys   list of string, keys of the entities
// $limit  integer, the most relations that are deleted
// -> deleted: integer
CYPHER 25
UNWIND $keys AS key
MATCH (:Entity {key: key})-[relation]-(other)
WHERE type(relation) <> 'HAS_PASSAGE' OR NOT other:Passage
WITH DISTINCT relation
LIMIT $limit
DELETE relation
RETURN count(*) AS deleted
