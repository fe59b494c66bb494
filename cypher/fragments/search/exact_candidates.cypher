// Compares passages that pass the filters one by one with the vector: where they are few, and those that its index lacks.
//   .exact_queries  list of string, Lucene text of the filters where few passages may pass them, or an empty list
//   .exact_entity_queries  list of string, likewise for wide entities, whose passages do not repeat all filter tokens
//   .scanned_projects  list of string, projects whose entities are all tested against the filters, or an empty list
//   .compared_entities  list of string, keys of entities that the vector index knows otherwise than they are here, or an empty list
//   .exact_limit  integer, the most passages that are compared
//   .pool  integer, candidates of a leg
// -> too_many: boolean, whether more pass than are compared; then none is
// -> nearest: list of maps {passage, raw}
CALL () {
  CALL () {
    UNWIND $search.exact_queries AS query
    CALL db.index.fulltext.queryNodes('graphmem_passage_exact', query, {limit: $search.exact_limit + 1})
    YIELD node
    RETURN node AS passage, false AS lacking
    UNION ALL
    UNWIND $search.exact_entity_queries AS query
    CALL db.index.fulltext.queryNodes('graphmem_entity_handles', query)
    YIELD node
    MATCH (node)-[:HAS_PASSAGE]->(passage)
    RETURN passage, false AS lacking
    LIMIT $search.exact_limit + 1
    UNION ALL
    UNWIND $search.scanned_projects AS project
    MATCH (entity:Entity {project: project})
    WHERE
      // include search/passes
      AND
      // include search/holds
    MATCH (entity)-[:HAS_PASSAGE]->(passage)
    RETURN passage, false AS lacking
    LIMIT $search.exact_limit + 1
    UNION ALL
    UNWIND $search.compared_entities AS key
    MATCH (entity:Entity {key: key})
    WHERE
      // include search/passes
    MATCH (entity)-[:HAS_PASSAGE]->(passage)
    RETURN passage, true AS lacking
  }
  WITH collect(CASE WHEN NOT lacking THEN passage END) AS passing, collect(CASE WHEN lacking THEN passage END) AS lacked
  WITH size(passing) > $search.exact_limit AS too_many, passing, lacked
  // All that pass, as a transaction sees them, have those among them that the index lacks.
  WITH too_many, CASE WHEN too_many OR size(passing) = 0 THEN lacked ELSE passing END AS members
  UNWIND CASE size(members) WHEN 0 THEN [null] ELSE members END AS passage
  // Read once, since it is tested too.
  WITH too_many, passage, passage.embedding AS embedding
  WITH too_many, passage,
    // include search/cosine
      AS raw
  ORDER BY raw DESC, elementId(passage)
  WITH too_many, collect(CASE WHEN raw IS NOT NULL THEN {passage: passage, raw: raw} END) AS compared
  RETURN too_many, compared[..$search.pool] AS nearest
}
