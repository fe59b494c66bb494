// Deletes passages by their element ids.
// $elements  list of string, their element ids
// -> deleted: integer
CYPHER 25
UNWIND $elements AS element
MATCH (passage:Passage)
WHERE elementId(passage) = element
DETACH DELETE passage
RETURN count(*) AS deleted
