// Gives a page of the relations that start in a project, in the order of their starts' keys.
// $project  string
// $after    string, the last start's key of the page before, or an empty string
// $limit    integer, entities a page
// -> key: string, relations: list of map
CYPHER 25
MATCH (start:Entity {project: $project})
WHERE start.key > $after
WITH start
ORDER BY start.key
LIMIT $limit
RETURN start.key AS key,
  COLLECT {
    MATCH (start)-[relation:!HAS_PASSAGE]->(end:Entity {project: $project})
    RETURN {start: start.name, end: end.name, relation: type(relation),
      properties: properties(relation)}
    ORDER BY type(relation), end.key
  } AS relations
ORDER BY key
