// The vector leg alone.
CYPHER 25
MATCH (passage:Passage)
SEARCH passage IN (
  VECTOR INDEX graphmem_passage_embedding FOR $vector
  WHERE passage.project IN $projects AND passage.live IN $live
  LIMIT $pool
) SCORE AS score
RETURN passage.id AS id, score
