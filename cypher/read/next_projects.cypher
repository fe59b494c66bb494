// Gives the projects that follow another by name, each found by one look at the index.
// $after  string, a project, or an empty string for the first ones
// $limit  integer, the most that are given
// -> projects: list of string
CYPHER 25
RETURN reduce(
  projects = [$after], number IN range(1, $limit) |
  projects + COLLECT {
    MATCH (entity:Entity)
    WHERE entity.project > projects[-1]
    RETURN entity.project AS project
    ORDER BY project
    LIMIT 1
  }
)[1..] AS projects
