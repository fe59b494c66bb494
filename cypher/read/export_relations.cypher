// Gives relations that start at entities of a project and end inside it, in the order of their starts' keys.
// $project  string
// $keys     list of string, keys of the starts
// $skip     integer, relations of each start that are passed over
// $limit    integer, the most relations of each start after them
// -> key: string, relations: list of map
CYPHER 25
UNWIND $keys AS key
MATCH (start:Entity {key: key})
RETURN key,
  COLLECT {
    MATCH (start)-[relation:!HAS_PASSAGE]->(end:Entity {project: $project})
    WITH start, relation, end
    ORDER BY type(relation), end.key, relation.graphmem_since
    SKIP $skip
    LIMIT $limit
    RETURN {start: start.name, end: end.name, relation: type(relation),
      properties: properties(relation)}
    ORDER BY type(relation), end.key, relation.graphmem_since
  } AS relations
ORDER BY key
