// Counts the entities of some projects by kind, the commonest kind first.
// $projects  list of string
// -> kind: string, count: integer
CYPHER 25
UNWIND $projects AS project
MATCH (entity:Entity {project: project})
RETURN entity.kind AS kind, count(*) AS count
ORDER BY count DESC, kind
