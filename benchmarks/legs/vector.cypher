// The vector leg alone, as a search asks it where the project fills the store.
CYPHER 25
MATCH (passage:Passage)
SEARCH passage IN (
  VECTOR INDEX graphmem_passage_embedding FOR $vector
  WHERE passage.project IN $projects
  LIMIT $unfiltered_vector_pool
) SCORE AS score
WHERE passage.live IN $live
RETURN elementId(passage) AS id, score
LIMIT $pool
