// Counts what each of some changes created in a project, with the first entities and links of each, by key.
// $project  string
// $changes  list of string
// $limit    integer, the most entities, starts of relations and links that are named of each change
// -> change: string, entities: integer, names: list of string, relations: integer, origins: list of string, links: list of map
CYPHER 25
CALL () {
  MATCH (entity:Entity {project: $project})
    USING INDEX SEEK entity:Entity(project)
  WHERE entity.graphmem_change IN $changes
  WITH entity
  ORDER BY entity.key
  RETURN entity.graphmem_change AS change, count(*) AS entities, collect(entity)[..$limit] AS created,
    0 AS relations, [] AS origins
  UNION ALL
  MATCH (start:Entity {project: $project})
    USING INDEX SEEK start:Entity(project)
  // What notes a change leads to an entity; to look at each end would take longer than all else.
  MATCH (start)-[relation:!HAS_PASSAGE]->()
  WHERE relation.graphmem_change IN $changes
  WITH relation.graphmem_change AS change, start, count(*) AS relations
  ORDER BY start.key
  RETURN change, 0 AS entities, [] AS created, sum(relations) AS relations, collect(start)[..$limit] AS origins
}
WITH change, sum(entities) AS entities, sum(relations) AS relations,
  reduce(all = [], some IN collect(created) | all + some) AS created,
  reduce(all = [], some IN collect(origins) | all + some) AS origins
RETURN change, entities, [entity IN created | entity.name] AS names,
  relations, [start IN origins | start.name] AS origins,
  COLLECT {
    UNWIND origins AS start
    MATCH (start)-[relation:!HAS_PASSAGE]->(end:Entity)
    WHERE relation.graphmem_change = change
    WITH start, relation, end
    ORDER BY start.key, end.key, type(relation), relation.graphmem_since
    LIMIT $limit
    RETURN {start_name: start.name, relation: type(relation), end_name: end.name}
    ORDER BY start.key, end.key, type(relation), relation.graphmem_since
  } AS links
ORDER BY change
