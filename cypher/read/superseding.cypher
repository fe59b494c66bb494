// Gives what supersedes entities, directly or by way of others.
// $keys  list of string
// $type  string, the type of relation that leads from what supersedes
// -> key: string, superseding: list of string (keys)
CYPHER 25
UNWIND $keys AS key
MATCH (entity:Entity {key: key})
RETURN key,
  COLLECT {
    MATCH (entity)<-[:$($type)]-{1,50}(other:Entity)
    RETURN DISTINCT other.key
    ORDER BY other.key
  } AS superseding
ORDER BY key
