// Notes on a change that it brought history, unless the change is not there.
// $id    string
// $note  string, how much it brought
// -> written: integer
CYPHER 25
MATCH (change:GraphmemChange {id: $id})
SET change.note = $note, change.brought = true
RETURN count(change) AS written
