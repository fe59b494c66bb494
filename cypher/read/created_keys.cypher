// Gives the keys of the entities of a project that changes created, or at which relations begin that these created.
// $project  string
// $changes  list of string
// -> key: string
CYPHER 25
MATCH (entity:Entity {project: $project})
  USING INDEX SEEK entity:Entity(project)
WHERE entity.graphmem_change IN $changes OR EXISTS {
  // What notes a change leads to an entity; to look at each end would take longer than all else.
  MATCH (entity)-[relation:!HAS_PASSAGE]->()
  WHERE relation.graphmem_change IN $changes
}
RETURN entity.key AS key
ORDER BY key
