// Finds entities of a scope by words, meaning and name, follows their relations one hop, and ranks both.
// $search  map of the fields that its parts declare: one parameter, since the server plans anew for every size of a list
//   .seeds  integer, entities whose relations are followed; 0 for none
// -> entity: map, score: float, direct: float, link: float, legs: list of map, via: list of map
// -> passages: list of map, total: integer, remaining: integer, moved: boolean, skipped_relations: integer
// -> truncated_legs: list of string, starved_legs: list of string, refilled_legs: list of string
// -> sort_value: float, sort_name: string, shares: list of float, ceiling: float, embedding_set: integer
CYPHER 25
// include search/unfiltered_legs
CALL (unfiltered, filtered_legs) {
  CALL (unfiltered, filtered_legs) {
    CALL (unfiltered, filtered_legs) {
      // include search/unfiltered_passages
      UNION ALL
      // include search/vector_leg
      UNION ALL
      // include search/text_leg
    }
    // include search/entities_of_passages
    UNION ALL
    // include search/name_leg
  }
  RETURN collect({entity: entity, key: entity.key, leg: leg, raw: raw, evidence: evidence, passages: passages,
    pieces: pieces, name: name}) AS gathered
}
// include search/common_names
// include search/truncated_legs
// include search/rank_legs
// include search/fuse
LET seeds = candidates[..$search.seeds]
CALL (candidates, seeds) {
  CALL (candidates, seeds) {
    // include search/direct_hits
    UNION ALL
    // include search/expand(passes = in_scope)
  }
  // include search/rank
}
// include search/page
// include store/embedding_set
WITH truncated_legs, starved_legs, refilled_legs, skipped_relations, total, remaining, moved, page, embedding_set
UNWIND CASE WHEN size(page) = 0 THEN [null] ELSE page END AS hit
// include search/passages
// include search/projection
