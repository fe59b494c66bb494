// Deletes relations by their element ids, as `take_relations` gives them in the same transaction.
// $ids  list of string
// -> deleted: integer
CYPHER 25
UNWIND $ids AS id
MATCH ()-[relation]->()
WHERE elementId(relation) = id
DELETE relation
RETURN count(*) AS deleted
