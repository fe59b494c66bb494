// Gives the passages of the scope that are nearest to the query.
// <- filtered_legs: list of string
//   .vector_scoped  boolean, whether the vector index filters by project and life alone
//   .vector  list of float, the query's embedding, or null
//   .projects  list of string, the projects that are searched
//   .live  list of boolean, whether those of living entities are searched, and whether those of hidden ones
//   .vector_pool  integer, candidates of the vector leg before filter tokens are tested
// -> passage: node, leg: string, raw: float
UNWIND CASE WHEN $search.vector_scoped AND 'vector' IN filtered_legs THEN [true] ELSE [] END AS asked
MATCH (passage:Passage)
SEARCH passage IN (
  VECTOR INDEX graphmem_passage_embedding
  FOR $search.vector
  WHERE passage.project IN $search.projects
    AND passage.live IN $search.live
  LIMIT $search.vector_pool
) SCORE AS similarity
WHERE
  // include search/passage_passes
RETURN passage, 'vector' AS leg, 2 * similarity - 1 AS raw
