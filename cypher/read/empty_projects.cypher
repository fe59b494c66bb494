// Gives those of some projects that hold no entity, not even a hidden one.
// $projects  list of maps {name, first, last}: strings, the name, that with the `#` behind it, and the first text behind all keys of the project
// -> name: string
CYPHER 25
UNWIND $projects AS project
WITH project
WHERE NOT EXISTS {
  MATCH (entity:Entity)
  WHERE entity.key >= project.first AND entity.key < project.last
}
RETURN project.name AS name
ORDER BY name
