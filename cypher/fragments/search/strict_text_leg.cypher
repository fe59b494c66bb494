// Gives the passages that match the operators, the best of them compared with the vector.
//   .texts  list of maps {index, query}, Lucene text with filters for each text index asked
//   .pool  integer, candidates of a leg
//   .passage_pool  integer, passages that are compared
//   .vector  list of float, the query's embedding, or null
// -> passage: node, leg: string, raw: float, or null for a passage without an embedding
UNWIND $search.texts AS text
CALL (text) {
  CALL db.index.fulltext.queryNodes(text.index, text.query, {limit: $search.pool})
  YIELD node, score
  RETURN collect({passage: node, score: score}) AS matches
}
UNWIND range(0, size(matches) - 1) AS number
WITH matches[number].passage AS passage, matches[number].score AS score,
  number < $search.passage_pool AND $search.vector IS NOT NULL AS compared
UNWIND CASE WHEN compared THEN ['text', 'vector'] ELSE ['text'] END AS leg
WITH passage, leg, score, CASE leg WHEN 'vector' THEN passage.embedding END AS embedding
RETURN passage, leg, CASE leg
    WHEN 'text' THEN score
    ELSE
    // include search/cosine
  END AS raw
