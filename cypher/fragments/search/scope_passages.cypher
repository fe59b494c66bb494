// Gives the passages of the scope that are nearest to the query or hold its words, whatever the filters ask.
//   .scope_vectors  list of lists of float: the query's embedding where it is asked for, or an empty list
//   .scope_texts  list of maps {index, query}, Lucene text with the scope alone for each text index asked
//   .projects  list of string, the projects that are searched
//   .scope_pool  integer, candidates of a leg
// -> passage: node, leg: string, raw: float
UNWIND $search.scope_vectors AS vector
MATCH (passage:Passage)
SEARCH passage IN (
  VECTOR INDEX graphmem_passage_embedding
  FOR vector
  WHERE passage.project IN $search.projects
    AND passage.live = true
  LIMIT $search.scope_pool
) SCORE AS similarity
RETURN passage, 'vector' AS leg, 2 * similarity - 1 AS raw
UNION ALL
UNWIND $search.scope_texts AS text
CALL db.index.fulltext.queryNodes(text.index, text.query, {limit: $search.scope_pool})
YIELD node, score
RETURN node AS passage, 'text' AS leg, score AS raw
