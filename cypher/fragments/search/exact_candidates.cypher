// Compares the passages that pass the filters one by one with the vector, where they are few.
//   .exact_queries  list of string, Lucene text of the filters where few passages may pass them, or an empty list
//   .exact_entity_queries  list of string, likewise for wide entities, whose passages do not repeat all filter words
//   .scanned_projects  list of string, projects whose entities are all tested against the filters, or an empty list
//   .exact_limit  integer, the most passages that are compared
//   .vector  list of float, the query's embedding, or null
//   .pool  integer, candidates of a leg
// -> too_many: boolean, whether more pass than are compared; then none is
// -> nearest: list of maps {passage, raw}
CALL () {
  CALL () {
    UNWIND $search.exact_queries AS query
    CALL db.index.fulltext.queryNodes('graphmem_passage_exact', query, {limit: $search.exact_limit + 1})
    YIELD node
    RETURN node AS passage
    UNION ALL
    UNWIND $search.exact_entity_queries AS query
    CALL db.index.fulltext.queryNodes('graphmem_entity_handles', query)
    YIELD node
    MATCH (node)-[:HAS_PASSAGE]->(passage)
    RETURN passage
    LIMIT $search.exact_limit + 1
    UNION ALL
    UNWIND $search.scanned_projects AS project
    MATCH (entity:Entity {project: project})
    WHERE
      // include search/passes
      AND
      // include search/holds
    MATCH (entity)-[:HAS_PASSAGE]->(passage)
    RETURN passage
    LIMIT $search.exact_limit + 1
  }
  WITH collect(passage) AS members
  WITH members, size(members) > $search.exact_limit AS too_many
  UNWIND CASE WHEN too_many OR size(members) = 0 THEN [null] ELSE members END AS passage
  WITH too_many, passage, CASE
      WHEN passage.embedding IS NOT NULL AND $search.vector IS NOT NULL
        THEN 2 * vector.similarity.cosine(passage.embedding, $search.vector) - 1
    END AS raw
  ORDER BY raw DESC, elementId(passage)
  WITH too_many, collect(CASE WHEN raw IS NOT NULL THEN {passage: passage, raw: raw} END) AS compared
  RETURN too_many, compared[..$search.pool] AS nearest
}
