// Asks the indexes without all filters and tests what they give, where the scope holds most of the store.
//   .unfiltered_legs  list of string, legs (text, vector) that are asked so; one that is left with too little is asked with filters as well
//   .unfiltered_texts  list of maps {index, query}, Lucene text without filters, where the text leg is asked so
//   .unfiltered_text_pool  integer, candidates a text index gives before they are tested
//   .unfiltered_vector_pool  integer, likewise of the vector index, which filters by project alone
//   .vector  list of float, the query's embedding, or null for no vector leg
//   .projects  list of string, the projects that are searched
//   .live  list of boolean, whether those of living entities are searched, and whether those of hidden ones
//   .pool  integer, candidates of a leg
// -> unfiltered: list of maps {leg, candidates: list of maps {passage, raw}}, of the legs that were left with enough
// -> refilled_legs: list of string, legs that were left with too little
// -> filtered_legs: list of string, legs that are to be asked with filters
CALL () {
  CALL () {
    UNWIND CASE WHEN $search.vector IS NOT NULL AND 'vector' IN $search.unfiltered_legs THEN [true] ELSE [] END AS asked
    MATCH (passage:Passage)
    SEARCH passage IN (
      VECTOR INDEX graphmem_passage_embedding
      FOR $search.vector
      WHERE passage.project IN $search.projects
      LIMIT $search.unfiltered_vector_pool
    ) SCORE AS similarity
    RETURN passage, 'vector' AS leg, 0 AS number, 2 * similarity - 1 AS raw
    UNION ALL
    UNWIND range(0, size($search.unfiltered_texts) - 1) AS number
    WITH number, $search.unfiltered_texts[number] AS text
    CALL db.index.fulltext.queryNodes(text.index, text.query, {limit: $search.unfiltered_text_pool})
    YIELD node, score
    RETURN node AS passage, 'text' AS leg, number, score AS raw
  }
  WITH passage, leg, number, raw
  ORDER BY raw DESC, elementId(passage)
  WITH leg, number, count(*) AS given,
    collect(CASE
      WHEN passage.project IN $search.projects AND passage.live IN $search.live
        THEN {passage: passage, raw: raw}
    END) AS candidates
  WITH collect({
    leg: leg,
    candidates: candidates[..$search.pool],
    short: given >= CASE leg WHEN 'text' THEN $search.unfiltered_text_pool ELSE $search.unfiltered_vector_pool END
      AND size(candidates) < $search.pool
  }) AS answers
  WITH answers,
    [leg IN $search.unfiltered_legs WHERE any(answer IN answers WHERE answer.leg = leg AND answer.short)]
      AS refilled_legs
  WITH answers, refilled_legs,
    [leg IN ['text', 'vector'] WHERE leg IN refilled_legs OR NOT leg IN $search.unfiltered_legs]
      AS filtered_legs
  RETURN [answer IN answers WHERE NOT answer.leg IN filtered_legs] AS unfiltered, refilled_legs, filtered_legs
}
