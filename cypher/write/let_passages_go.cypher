// Takes passages away from entities that were made anew, to which they belong by now.
// $keys  list of string, keys of the entities as they were
// -> written: integer
CYPHER 25
UNWIND $keys AS key
MATCH (:Entity {key: key})-[has:HAS_PASSAGE]->(:Passage)
DELETE has
RETURN count(*) AS written
