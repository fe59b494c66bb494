// Detaches passages from the former nodes of entities that were moved; they belong to the new nodes.
// $keys  list of string, keys of the entities as they were
// -> written: integer
CYPHER 25
UNWIND $keys AS key
MATCH (:Entity {key: key})-[has:HAS_PASSAGE]-()
DELETE has
RETURN count(*) AS written
