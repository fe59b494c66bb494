// Gives the living entities of a project that changed last, those that callers wrote first, those with most relations, code last, and those that nobody described.
// $project  string
// $caller   string, the author that callers are
// $code     string, how the authors begin that are imports of source code
// $first    string, the attribute with the first line of code; many stores have none
// $last     string, that with the last
// $limit    integer, entities of each list
// -> recent: list of map, hubs: list of map, stubs: list of map, undescribed: integer
CYPHER 25
CALL () {
  MATCH (entity:Entity {project: $project})
  USING INDEX SEEK entity:Entity(project)
  WHERE
    // include store/undescribed
  WITH entity, COUNT { (entity)--() } - COUNT { (entity)-[:HAS_PASSAGE]->() } AS relations
  ORDER BY relations DESC, entity.key
  // Counted and cut in one pass, since the test reads all that an entity is linked with.
  WITH count(*) AS undescribed, collect(entity)[..$limit] AS first
  RETURN undescribed, [stub IN first | {
      name: stub.name, kind: stub.kind, relations: COUNT { (stub)--() } - COUNT { (stub)-[:HAS_PASSAGE]->() }
    }] AS stubs
}
RETURN
  COLLECT {
    MATCH (entity:Entity {project: $project})
    USING INDEX SEEK entity:Entity(project)
    WHERE entity.live = true AND entity.updated_at IS :: ZONED DATETIME NOT NULL
    WITH entity, coalesce($caller IN entity.asserted_by, true) AS written
    ORDER BY written DESC, entity.updated_at DESC, entity.key
    LIMIT $limit
    RETURN {name: entity.name, kind: entity.kind, updated_at: toString(entity.updated_at)}
    ORDER BY written DESC, entity.updated_at DESC, entity.key
  } AS recent,
  COLLECT {
    MATCH (entity:Entity {project: $project})
    USING INDEX SEEK entity:Entity(project)
    WHERE entity.live = true
    WITH entity, COUNT { (entity)--() } - COUNT { (entity)-[:HAS_PASSAGE]->() } AS relations
    WHERE relations > 0
    WITH
      entity,
      relations,
      coalesce(all(author IN entity.asserted_by WHERE author STARTS WITH $code), false)
        // Code that another import brought, such as that of an export.
        OR (entity[$first] IS NOT NULL AND entity[$last] IS NOT NULL AND NOT coalesce($caller IN entity.asserted_by, true)) AS is_code
    ORDER BY is_code, relations DESC, entity.key
    LIMIT $limit
    RETURN {name: entity.name, kind: entity.kind, relations: relations}
    ORDER BY is_code, relations DESC, entity.key
  } AS hubs,
  stubs,
  undescribed
