// Counts the entities of some projects by the properties that they have, the commonest property first.
// $projects  list of string
// -> value: string, count: integer
CYPHER 25
UNWIND $projects AS project
MATCH (entity:Entity {project: project})
UNWIND keys(entity) AS value
WITH value, count(*) AS count
RETURN value, count
ORDER BY count DESC, value
