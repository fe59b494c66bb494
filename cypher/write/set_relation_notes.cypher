// Gives relations what graphmem notes of each: when it begins, since when it is there, and who said so.
// $rows  list of maps {element, start, since, created_at, authors}: the relation's element id, the key of its start, what is noted
// -> written: integer
CYPHER 25
UNWIND $rows AS row
MATCH ()-[relation]->()
WHERE elementId(relation) = row.element
SET relation.graphmem_since = row.since, relation.created_at = row.created_at, relation.asserted_by = row.authors
RETURN count(relation) AS written
