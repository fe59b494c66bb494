// Gives the passages that hold words of the query, by each text index that can add something.
// <- filtered_legs: list of string
//   .texts  list of maps {index, query}, Lucene text with filters for each text index asked
//   .pool  integer, candidates of a leg
// -> passage: node, leg: string, raw: float
UNWIND CASE WHEN 'text' IN filtered_legs THEN $search.texts ELSE [] END AS text
CALL db.index.fulltext.queryNodes(text.index, text.query, {limit: $search.pool})
YIELD node, score
RETURN node AS passage, 'text' AS leg, score AS raw
