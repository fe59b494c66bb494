// Removes embeddings that are not searched from entities; passages without a searched one wait for the model.
// $keys      list of string, keys of the entities
// $stale     string, the property of the embeddings that are removed
// $searched  string, the property of those that are searched
// -> changed: integer
CYPHER 25
UNWIND $keys AS key
MATCH (entity:Entity {key: key})-[:HAS_PASSAGE]->(passage)
WHERE 'Passage' IN labels(passage)
  AND (passage[$stale] IS NOT NULL
    OR (passage[$searched] IS NULL) <> (passage.pending IS NOT NULL))
// Locked before it is read again: another process may just be embedding it.
SET passage.id = passage.id
SET passage[$stale] = null
SET passage.pending = CASE WHEN passage[$searched] IS NULL THEN true END
RETURN count(passage) AS changed
