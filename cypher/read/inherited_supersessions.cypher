// Gives the relations that replacing an entity made for what that entity had replaced by some relations.
// $rows  list of maps {start, end}: the keys of those relations
// $type  string, the type of relation that leads from what supersedes
// -> start: string, end: string
// -> between: list of string (keys of what leads from the start to the end)
CYPHER 25
UNWIND $rows AS row
MATCH (:Entity {key: row.start})<-[replacing:$($type)]-(start:Entity)
MATCH (start)-[inherited:$($type)]->(end:Entity {key: row.end})
WHERE inherited.graphmem_change = replacing.graphmem_change
WITH DISTINCT start, end
RETURN start.key AS start, end.key AS end,
  COLLECT {
    MATCH (start)-[:$($type)]->(other:Entity)-[:$($type)]->(end)
    RETURN DISTINCT other.key
    ORDER BY other.key
  } AS between
ORDER BY start, end
