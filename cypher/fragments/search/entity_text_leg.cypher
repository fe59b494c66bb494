// Gives the entities of several passages, or of a dated one, that match the operators over all they say at any time.
//   .entity_queries  list of string, Lucene text for these entities, filters included
//   .pool  integer, candidates of a leg
//   .weights  map {text, saturation, …}, floats
// -> entity: node, leg: string, raw: float, evidence: float, passages: list, pieces: integer, name: null
UNWIND $search.entity_queries AS query
CALL db.index.fulltext.queryNodes('graphmem_entity_text', query, {limit: $search.pool})
YIELD node, score
WITH node, score
WHERE score > 0
  AND
  // include search/holds(entity = node)
RETURN node AS entity, 'text' AS leg, score AS raw,
  $search.weights.text * score / (score + $search.weights.saturation) AS evidence,
  [] AS passages, 1 AS pieces, null AS name
