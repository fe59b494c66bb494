// Gives what supersedes some entities directly.
// $keys  list of string
// $type  string, the type of relation that leads from what supersedes
// -> key: string
CYPHER 25
UNWIND $keys AS key
MATCH (:Entity {key: key})<-[:$($type)]-(superseding:Entity)
RETURN DISTINCT superseding.key AS key
ORDER BY key
