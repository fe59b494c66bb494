// Names the legs that gave the most candidates they may, so that more may match.
// <- gathered: list of maps {leg, pieces, …}
//   .pool  integer, candidates of a leg
//   .vector_pool  integer, candidates of the vector leg before filter tokens are tested
// -> truncated_legs: list of string
CALL (gathered) {
  RETURN [leg IN ['text', 'vector'] WHERE
    reduce(sum = 0, candidate IN gathered | sum + CASE candidate.leg WHEN leg THEN candidate.pieces ELSE 0 END)
      >= CASE WHEN leg = 'vector' AND $search.vector_pool < $search.pool THEN $search.vector_pool
        ELSE $search.pool END] AS truncated_legs
}
