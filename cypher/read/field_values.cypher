// Counts the entities of some projects by the values of a field, the commonest value first.
// $projects  list of string
// $field     string: kind, status, category or tags
// -> value: string, count: integer
CYPHER 25
UNWIND $projects AS project
MATCH (entity:Entity {project: project})
UNWIND [] + entity[$field] AS value
WITH toStringOrNull(value) AS value, count(*) AS count
WHERE value IS NOT NULL
RETURN value, count
ORDER BY count DESC, value
