// Gives a change, and how many revisions it made.
// $id  string
// -> change: map, revised: integer
CYPHER 25
MATCH (change:GraphmemChange {id: $id})
RETURN properties(change) AS change, COUNT { (:GraphmemRevision {change: $id}) } AS revised
ORDER BY change.id
