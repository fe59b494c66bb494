// Gives the relations that `supersede`, called later, made for what an entity had replaced, or what had replaced its replacement, by some relations.
// $rows   list of maps {start, end}: the keys of those relations
// $type   string, the type of relation that leads from what supersedes
// $since  datetime or null, when those relations were made; null for no answer
// -> start: string, end: string
// -> between: list of string (keys of what leads from the start to the end)
CYPHER 25
UNWIND $rows AS row
MATCH (:Entity {key: row.start})<-[before:$($type)]-{0,1}(start:Entity)
MATCH (:Entity {key: row.end})-[behind:$($type)]->{0,1}(end:Entity)
MATCH (start)-[inherited:$($type)]->(end)
WHERE any(other IN before + behind WHERE other.graphmem_change = inherited.graphmem_change)
// Two relations of one import or `remember` may have been said independently of each other.
MATCH (change:GraphmemChange {id: inherited.graphmem_change})
WHERE change.verb = 'supersede' AND change.at > $since
WITH DISTINCT start, end
RETURN start.key AS start, end.key AS end,
  COLLECT {
    MATCH (start)-[:$($type)]->(other:Entity)-[:$($type)]->(end)
    RETURN DISTINCT other.key
    ORDER BY other.key
  } AS between
ORDER BY start, end
