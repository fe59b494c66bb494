// Finds passages that hold words spelt nearly like those of a query, the nearest first.
// $query  string, Lucene text of fuzzy words with the filters of the search
// $limit  integer, passages
// $characters  integer, of each passage, from its beginning
// $search  map of the time at which they hold
// -> names: string or null, text: string
CYPHER 25
CALL db.index.fulltext.queryNodes('graphmem_passage_exact', $query, {limit: $limit})
YIELD node, score
MATCH (entity:Entity)-[:HAS_PASSAGE]->(node)
WHERE
  // include search/holds
  AND
  // include search/holds(entity = node)
RETURN left(node.names, $characters) AS names, left(node.text, $characters) AS text
ORDER BY score DESC, names, text
