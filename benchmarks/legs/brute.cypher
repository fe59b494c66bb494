// The vector leg without an index: every passage compared.
CYPHER 25
MATCH (passage:Passage)
WHERE passage.project IN $projects AND passage.live IN $live AND passage.embedding IS NOT NULL
WITH passage, vector.similarity.cosine(passage.embedding, $vector) AS score
ORDER BY score DESC
LIMIT $pool
RETURN elementId(passage) AS id, score
