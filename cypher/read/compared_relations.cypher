// Gives those relations of some entities that lack what graphmem notes of each, have values that it does not write, exist twice, or begin at a time.
// $keys  list of string, keys of the starts
// -> element: string, start: string, end: string, relation: string, stored: map
// -> others: list of string (when the other relations of the type between the two begin)
CYPHER 25
UNWIND $keys AS key
MATCH (start:Entity {key: key})-[relation:!HAS_PASSAGE]->(end:Entity)
WITH key, start, relation, end, EXISTS {
  MATCH (start)-[other:!HAS_PASSAGE]->(end)
  WHERE type(other) = type(relation) AND other <> relation AND other.graphmem_since = relation.graphmem_since
} AS is_repeated
WHERE is_repeated
  OR relation.graphmem_since IS NULL
  OR relation.graphmem_since <> ''
  OR NOT relation.graphmem_since IS :: STRING
  OR relation.valid_from IS NOT NULL
  OR NOT relation.created_at IS :: ZONED DATETIME NOT NULL
  OR NOT relation.asserted_by IS :: LIST<STRING NOT NULL> NOT NULL
  OR relation.asserted_by = []
  OR NOT relation.graphmem_assertions IS :: STRING
  OR NOT relation.note IS :: STRING
  OR NOT relation.source IS :: STRING
  OR NOT relation.weight IS :: FLOAT | INTEGER
  OR NOT coalesce(0 <= relation.weight <= 1, true)
  OR NOT relation.confidence IS :: FLOAT | INTEGER
  OR NOT coalesce(0 <= relation.confidence <= 1, true)
  OR NOT relation.valid_until IS :: DATE | ZONED DATETIME
RETURN elementId(relation) AS element, key AS start, end.key AS end, type(relation) AS relation,
  properties(relation) AS stored,
  COLLECT {
    MATCH (start)-[other:!HAS_PASSAGE]->(end)
    WHERE type(other) = type(relation) AND other <> relation AND other.graphmem_since IS :: STRING NOT NULL
    RETURN other.graphmem_since
    ORDER BY other.graphmem_since
  } AS others
ORDER BY start, element
