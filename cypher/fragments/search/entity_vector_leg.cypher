// Compares the first passages of entities of several passages that match the operators with the vector.
//   .entity_queries  list of string, Lucene text for the entities of several passages, filters included
//   .passage_pool  integer, entities and passages of each that are compared
//   .vector  list of float, the query's embedding, or null
// -> passage: node, leg: string, raw: float, or null for a passage without an embedding
UNWIND CASE WHEN $search.vector IS NOT NULL THEN $search.entity_queries ELSE [] END AS query
CALL db.index.fulltext.queryNodes('graphmem_entity_text', query, {limit: $search.passage_pool})
YIELD node
MATCH (node)-[:HAS_PASSAGE]->(passage)
WHERE passage.position < $search.passage_pool
WITH passage, passage.embedding AS embedding
RETURN passage, 'vector' AS leg,
  // include search/cosine
    AS raw
