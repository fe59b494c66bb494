// Gives the entities that pass the filters, whatever they say.
//   .filter_queries  list of string, Lucene text of the filter tokens for the name index, or an empty list
//   .live  list of boolean, whether those that live are listed, and whether those that do not
//   .whole_projects  list of string, projects of which everything that lives passes, or an empty list
// -> entity: node
CALL () {
  UNWIND $search.filter_queries AS query
  CALL db.index.fulltext.queryNodes('graphmem_entity_handles', query)
  YIELD node
  WITH node AS entity
  // What was superseded carries the words of what lives, for it leads a search to what replaced it.
  WHERE entity.live IN $search.live AND
    // include search/passes
    AND
    // include search/holds
  RETURN entity
  UNION ALL
  UNWIND $search.whole_projects AS project
  MATCH (entity:Entity {project: project})
    USING INDEX SEEK entity:Entity(project)
  // Tested behind a projection, or each OR is planned as one more look at all entities of the project.
  WITH entity, entity.live AS lives
  WHERE lives = true
    AND
    // include search/holds
  RETURN entity
}
