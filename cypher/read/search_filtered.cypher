// Finds entities that pass filters, as a plain search does, and compares them one by one where few may pass.
// $search  map of the fields that its parts declare: one parameter, since the server plans anew for every size of a list
//   .scope_names  list of string, Lucene text for the name index with the scope alone, or an empty list
// -> entity: map, score: float, direct: float, link: float, legs: list of map, via: list of map
// -> passages: list of map, total: integer, remaining: integer, moved: boolean, skipped_relations: integer
// -> truncated_legs: list of string, starved_legs: list of string, refilled_legs: list of string
// -> sort_value: float, sort_name: string, shares: list of float, ceiling: float, embedding_set: integer
CYPHER 25
WITH ['text', 'vector'] AS filtered_legs
// include search/exact_candidates
CALL (filtered_legs, nearest) {
  CALL (filtered_legs, nearest) {
    CALL (filtered_legs, nearest) {
      // include search/vector_leg
      UNION ALL
      // include search/vector_range_leg
      UNION ALL
      // include search/exact_passages
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
// include search/truncated_legs
WITH gathered, CASE
    WHEN too_many AND NOT 'vector' IN truncated_legs THEN truncated_legs + ['vector']
    ELSE truncated_legs
  END AS truncated_legs, [] AS refilled_legs
// include search/filter
// include search/common_names(gathered = eligible)
// include search/rank_legs(gathered = eligible)
// include search/fuse
CALL () {
  CALL () {
    CALL () {
      // include search/scope_passages
    }
    // include search/entities_of_passages
    UNION ALL
    // include search/name_leg(.name_queries = .scope_names)
  }
  // include search/best_of_scope
}
// include search/seeds
CALL (candidates, seeds) {
  CALL (candidates, seeds) {
    // include search/direct_hits
    UNION ALL
    // include search/expand
  }
  // include search/rank
}
// include search/page
// include store/embedding_set
WITH truncated_legs, starved_legs, refilled_legs, skipped_relations, total, remaining, moved, page, embedding_set
UNWIND CASE WHEN size(page) = 0 THEN [null] ELSE page END AS hit
// include search/passages
// include search/projection
