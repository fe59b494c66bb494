// Notes who asserts relations of which nobody is noted: the import that brought one in, or else the caller.
// $keys   list of string, keys of the starts, sorted, so that two writers lock in the same order
// $limit  integer, the most relations that are changed
// -> changed: integer
CYPHER 25
UNWIND $keys AS key
MATCH (start:Entity {key: key})-[relation:!HAS_PASSAGE]->()
WHERE relation.asserted_by IS NULL
WITH relation
LIMIT $limit
SET relation.asserted_by = [coalesce(relation.imported, 'caller')]
REMOVE relation.imported
RETURN count(relation) AS changed
