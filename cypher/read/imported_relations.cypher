// Gives the relations between entities of a project that an import said.
// $project   string
// $imported  string, `format:path`
// -> start: string, end: string, relation: string, source: string or null
CYPHER 25
MATCH (start:Entity {project: $project})-[relation:!HAS_PASSAGE]->(end:Entity)
WHERE relation.imported = $imported
RETURN start.key AS start, end.key AS end, type(relation) AS relation, start.source AS source
ORDER BY start, end, relation
