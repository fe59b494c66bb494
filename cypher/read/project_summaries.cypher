// Counts what projects hold, and gives the moment of the last change in each.
// $projects  list of string
// -> project: string, entities: integer, relations: integer, passages: integer, updated_at: datetime or null
CYPHER 25
UNWIND $projects AS project
CALL (project) {
  MATCH (entity:Entity {project: project})
  WITH entity, COUNT { (entity)-[:HAS_PASSAGE]->() } AS passages
  RETURN count(entity) AS entities, coalesce(sum(passages), 0) AS passages,
    coalesce(sum(COUNT { (entity)-->() } - passages), 0) AS relations,
    max(CASE WHEN entity.updated_at IS :: ZONED DATETIME NOT NULL THEN entity.updated_at END) AS updated_at
}
RETURN project, entities, relations, passages, updated_at
ORDER BY project
