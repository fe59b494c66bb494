// Notes on the change of an import that what callers said has been carried over to the new names of its source.
// $id      string, the change, which is not there if the import has changed nothing
// $author  string, the import
// -> written: integer
CYPHER 25
MATCH (change:GraphmemChange {id: $id})
SET change.finished = $author
RETURN count(change) AS written
