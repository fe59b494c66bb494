// Takes passages from entities; the passages stay.
// $links  list of string, element ids of the relationships that lead to them
// -> deleted: integer
CYPHER 25
UNWIND $links AS link
MATCH (:Entity)-[relation:HAS_PASSAGE]->(:Passage)
WHERE elementId(relation) = link
DELETE relation
RETURN count(*) AS deleted
