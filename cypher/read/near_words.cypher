// Finds passages that hold words spelt nearly like those of a query, the nearest first.
// $query  string, Lucene text of fuzzy words with the filters of the search
// $limit  integer, passages
// -> names: string or null, text: string
CYPHER 25
CALL db.index.fulltext.queryNodes('graphmem_passage_exact', $query, {limit: $limit})
YIELD node, score
RETURN node.names AS names, node.text AS text
ORDER BY score DESC, names, text
