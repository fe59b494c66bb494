// Chooses the passages of a hit: those that led to it, else those with most words of the query.
// <- hit: map {entity, legs}, or null
//   .strict  boolean, whether an entity of several passages may match over all of them
//   .stems  list of string, folded beginnings of words: passages with most of them stand for a hit no passage led to
//   .passage_pool  integer, the most passages that are looked at
//   .passages  integer, passages returned of a hit
// -> passages: list of maps {text, created_at, source, valid_from, valid_until}, best first
CALL (hit) {
  WITH hit.entity AS entity, reduce(all = [], leg IN hit.legs | all + leg.passages) AS leading,
    all(leg IN hit.legs WHERE leg.leg <> 'text' OR size(leg.passages) = 0) AS as_whole
  CALL (entity, leading, as_whole) {
    UNWIND leading AS candidate
    RETURN candidate.passage AS passage, candidate.evidence AS evidence, 0 AS words
    UNION ALL
    WITH entity, leading, as_whole
    WHERE size(leading) = 0 OR $search.strict AND as_whole
    MATCH (entity)-[:HAS_PASSAGE]->(passage)
    WHERE passage.position < $search.passage_pool
      AND
      // include search/holds(entity = passage)
    RETURN passage, 0.0 AS evidence,
      size([stem IN $search.stems WHERE toLower(toStringOrNull(passage.text)) CONTAINS stem]) AS words
  }
  WITH passage, max(evidence) AS evidence, max(words) AS words
  ORDER BY words DESC, evidence DESC, passage.position
  LIMIT $search.passages
  RETURN collect(passage {.text, created_at: toString(passage.created_at), .source, .valid_from, .valid_until})
    AS passages
}
