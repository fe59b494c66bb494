// Gives what changes created of some entities: the entities, and the relations that begin at them.
// $keys     list of string
// $changes  list of string
// -> change: string, key: string, is_new: boolean, relations: list of map
CYPHER 25
UNWIND $keys AS key
MATCH (entity:Entity {key: key})
WITH entity, entity.graphmem_change IN $changes AS is_new,
  COLLECT {
    MATCH (entity)-[relation:!HAS_PASSAGE]->(end:Entity)
    WHERE relation.graphmem_change IN $changes
    RETURN {change: relation.graphmem_change, start: entity.key, end: end.key,
      relation: type(relation), since: coalesce(relation.graphmem_since, '')}
    ORDER BY end.key, type(relation), relation.graphmem_since
  } AS relations
// Each change once before its relations are picked, or a hub's are looked at once for every one of them.
WITH entity, is_new, relations, COLLECT {
    UNWIND CASE WHEN is_new THEN [entity.graphmem_change] ELSE [] END
      + [relation IN relations | relation.change] AS change
    RETURN DISTINCT change
  } AS made
UNWIND made AS change
RETURN change, entity.key AS key,
  coalesce(is_new AND entity.graphmem_change = change, false) AS is_new,
  [relation IN relations WHERE relation.change = change] AS relations
ORDER BY change, key
