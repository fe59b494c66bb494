// Finds entities that match operators and pass filters, compares the best of them with the vector, and ranks them.
// $search  map of the fields that its parts declare: one parameter, since the server plans anew for every size of a list
//   .scope_texts  list of maps {index, query}, Lucene text with the scope alone for each text index asked, or an empty list
//   .scope_entity_queries  list of string, likewise for entities of several passages
//   .scope_names  list of string, likewise for the name index
// -> entity: map, score: float, direct: float, link: float, legs: list of map, via: list of map
// -> passages: list of map, total: integer, remaining: integer, moved: boolean, skipped_relations: integer
// -> truncated_legs: list of string, starved_legs: list of string, refilled_legs: list of string
// -> sort_value: float, sort_name: string, shares: list of float, ceiling: float, embedding_set: integer
CYPHER 25
CALL () {
  CALL () {
    CALL () {
      // include search/strict_text_leg
      UNION ALL
      // include search/entity_vector_leg
    }
    // include search/entities_of_passages
    UNION ALL
    // include search/entity_text_leg
    UNION ALL
    // include search/name_leg
  }
  // include search/best_of_leg
}
// include search/truncated_legs
WITH gathered, truncated_legs, [] AS refilled_legs
// include search/filter
// include search/common_names(gathered = eligible)
// include search/rank_legs(gathered = eligible)
// include search/fuse
CALL () {
  CALL () {
    CALL () {
      // include search/strict_text_leg(.texts = .scope_texts)
      UNION ALL
      // include search/entity_vector_leg(.entity_queries = .scope_entity_queries)
    }
    // include search/entities_of_passages
    UNION ALL
    // include search/entity_text_leg(.entity_queries = .scope_entity_queries)
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
