// Compares the living entities of a page, by key, with the passages nearest to theirs.
// $project    string
// $after      string, the last key of the page before, or an empty string
// $limit      integer, entities a page
// $near       integer, passages compared with each passage
// $threshold  float, the least cosine
// -> key: string, pairs: list of map
CYPHER 25
MATCH (entity:Entity {project: $project})
WHERE entity.key > $after AND entity.live
WITH entity
ORDER BY entity.key
LIMIT $limit
CALL (entity) {
  MATCH (entity)-[:HAS_PASSAGE]->(passage:Passage)
  WHERE passage.embedding IS NOT NULL
  CALL (passage) {
    MATCH (near:Passage)
    SEARCH near IN (
      VECTOR INDEX graphmem_passage_embedding
      FOR passage.embedding
      WHERE near.project = $project AND near.live = true
      LIMIT $near
    ) SCORE AS similarity
    RETURN near, 2 * similarity - 1 AS cosine
  }
  WITH entity, near, cosine
  WHERE cosine >= $threshold
  MATCH (other:Entity)-[:HAS_PASSAGE]->(near)
  WHERE other <> entity AND other.live
  WITH other.key AS key, max(cosine) AS cosine
  ORDER BY cosine DESC, key
  RETURN collect({key: key, cosine: cosine}) AS pairs
}
RETURN entity.key AS key, pairs
ORDER BY key
