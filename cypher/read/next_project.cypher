// Gives the project that follows another by name.
// $after  string, a project, or an empty string for the first
// -> project: string
CYPHER 25
MATCH (entity:Entity)
WHERE entity.project > $after
RETURN entity.project AS project
ORDER BY project
LIMIT 1
