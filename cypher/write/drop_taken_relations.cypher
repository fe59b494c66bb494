// Deletes relations by what tells them from all others while the transaction lasts.
// $ids  list of string
// -> deleted: integer
CYPHER 25
UNWIND $ids AS id
MATCH ()-[relation]->()
WHERE elementId(relation) = id
DELETE relation
RETURN count(*) AS deleted
