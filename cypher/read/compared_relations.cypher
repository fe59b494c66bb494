// Gives those relations of some entities that lack what graphmem notes of each, and those that begin at a time.
// $keys  list of string, keys of the starts
// -> element: string, start: string, end: string, relation: string, since: string or null
// -> valid_from: any, created_at: datetime or null, authors: list of string or null
// -> others: list of string (when the other relations of the type between the two begin)
CYPHER 25
UNWIND $keys AS key
MATCH (start:Entity {key: key})-[relation:!HAS_PASSAGE]->(end:Entity)
WHERE relation.graphmem_since IS NULL
  OR relation.created_at IS NULL
  OR relation.asserted_by IS NULL
  OR relation.valid_from IS NOT NULL
  OR relation.graphmem_since <> ''
RETURN elementId(relation) AS element, key AS start, end.key AS end, type(relation) AS relation,
  relation.graphmem_since AS since, relation.valid_from AS valid_from, relation.created_at AS created_at,
  relation.asserted_by AS authors,
  COLLECT {
    MATCH (start)-[other:!HAS_PASSAGE]->(end)
    WHERE type(other) = type(relation) AND other <> relation AND other.graphmem_since IS NOT NULL
    RETURN other.graphmem_since
    ORDER BY other.graphmem_since
  } AS others
ORDER BY start, element
