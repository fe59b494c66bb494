// Removes embeddings that are not searched from a page of entities, by key, and has passages without one wait for the model.
// $after     string, the last key of the page before, or an empty string
// $limit     integer, entities a page
// $most      integer, passages that are changed at once
// $stale     string, the property of the embeddings that are removed
// $searched  string, the property of those that are searched
// -> last: string (the last key of the page) or null, changed: integer (passages), entities: integer (of the page)
CYPHER 25
CALL () {
  MATCH (entity:Entity)
  WHERE entity.key > $after
  WITH entity.key AS key
  ORDER BY key
  LIMIT $limit
  RETURN collect(key) AS keys
}
CALL (keys) {
  UNWIND keys AS key
  MATCH (entity:Entity {key: key})-[:HAS_PASSAGE]->(passage)
  WHERE passage[$stale] IS NOT NULL
    OR (passage[$searched] IS NULL) <> (passage.pending IS NOT NULL)
  WITH passage
  LIMIT $most
  // Locked before it is read again: another process may just be embedding it.
  SET passage.id = passage.id
  SET passage[$stale] = null
  SET passage.pending = CASE WHEN passage[$searched] IS NULL THEN true END
  RETURN count(passage) AS changed
}
RETURN keys[-1] AS last, changed, size(keys) AS entities
