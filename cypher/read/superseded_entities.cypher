// Gives those of some entities that are superseded and that searches do not find, not even to follow their relations.
// $keys   list of string
// $words  string, the filter token of what searches come across
// -> key: string
CYPHER 25
UNWIND $keys AS key
MATCH (entity:Entity {key: key})
WHERE toLower(entity.status) = 'superseded' AND NOT entity.graphmem_filters CONTAINS $words
RETURN key
ORDER BY key
