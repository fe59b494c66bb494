// Finds passages that hold words spelt nearly like those of a query, the nearest first.
// $query  string, Lucene text of fuzzy words with the filters of the search
// $limit  integer, passages
// $characters  integer, of each passage, from its beginning
// $projects  list of string, the only projects that count, or an empty list where the query names them
// $search  map of the time at which they hold
// -> names: string or null, text: string
CYPHER 25
CALL db.index.fulltext.queryNodes('graphmem_passage_exact', $query, {limit: $limit})
YIELD node, score
MATCH (entity:Entity)-[:HAS_PASSAGE]->(node)
WHERE (size($projects) = 0 OR entity.project IN $projects)
  AND
  // include search/holds
  AND
  // include search/holds(entity = node)
RETURN left(toStringOrNull(node.names), $characters) AS names,
  left(coalesce(toStringOrNull(node.text), ''), $characters) AS text
ORDER BY score DESC, names, text
