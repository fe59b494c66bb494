// Gives the entities that pass the filters, whatever they say.
//   .filter_queries  list of string, Lucene text of the filter words for the name index, or an empty list
//   .whole_projects  list of string, projects of which everything that lives passes, or an empty list
// -> entity: node
CALL () {
  UNWIND $search.filter_queries AS query
  CALL db.index.fulltext.queryNodes('graphmem_entity_handles', query)
  YIELD node
  WITH node AS entity
  WHERE
    // include search/passes
  RETURN entity
  UNION ALL
  UNWIND $search.whole_projects AS project
  MATCH (entity:Entity {project: project})
  WHERE entity.live
  RETURN entity
}
