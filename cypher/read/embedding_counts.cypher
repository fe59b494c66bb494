// Counts a store's passages and those that have no embedding.
// -> passages: integer, missing: integer
CYPHER 25
CALL () {
  MATCH (passage:Passage)
  WHERE passage.embedding IS NULL
  RETURN count(passage) AS missing
}
RETURN COUNT { (:Passage) } AS passages, missing
ORDER BY passages
