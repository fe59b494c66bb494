// Gives the passages of some kinds and statuses that are nearest to the query.
//   .vector_ranges  list of maps {kind_from, kind_to, status_from, status_to}, which are searched one by one
//   .vector  list of float, the query's embedding, or null
//   .projects  list of string, the projects that are searched
//   .live  list of boolean, whether those of living entities are searched, and whether those of hidden ones
//   .vector_pool  integer, candidates of the vector leg before filter tokens are tested
// -> passage: node, leg: string, raw: float
UNWIND $search.vector_ranges AS bounds
MATCH (passage:Passage)
SEARCH passage IN (
  VECTOR INDEX graphmem_passage_embedding
  FOR $search.vector
  WHERE passage.project IN $search.projects
    AND passage.live IN $search.live
    AND passage.kind >= bounds.kind_from
    AND passage.kind <= bounds.kind_to
    AND passage.status >= bounds.status_from
    AND passage.status <= bounds.status_to
  LIMIT $search.vector_pool
) SCORE AS similarity
WHERE
  // include search/passage_passes
RETURN passage, 'vector' AS leg, 2 * similarity - 1 AS raw
