// Counts the relations of some projects by type, the commonest type first.
// $projects  list of string
// -> value: string, count: integer
CYPHER 25
UNWIND $projects AS project
MATCH (:Entity {project: project})-[relation:!HAS_PASSAGE]->(:Entity)
RETURN type(relation) AS value, count(*) AS count
ORDER BY count DESC, value
