// Gives how many characters the relations hold that start in a project and end inside it, by types and ends' keys.
// $project  string
// $after    string, the last start's key of the page before, or an empty string
// $limit    integer, entities a page
// -> key: string, sizes: list of integer
CYPHER 25
MATCH (start:Entity {project: $project})
  USING INDEX SEEK start:Entity(key)
// The keys of a project begin with its name and `#`, behind which `$` comes next.
WHERE start.key >= $project + '#' AND start.key < $project + '$' AND start.key > $after
WITH start
ORDER BY start.key
LIMIT $limit
RETURN start.key AS key,
  COLLECT {
    MATCH (start)-[relation:!HAS_PASSAGE]->(end:Entity {project: $project})
    // What is removed while it is read has no size.
    RETURN reduce(total = 0, name IN keys(relation) | total + coalesce(CASE
        WHEN relation[name] IS :: STRING THEN size(relation[name])
        WHEN relation[name] IS :: LIST<STRING>
          THEN reduce(sum = 0, item IN relation[name] | sum + size(item))
        ELSE 8
      END, 0))
    ORDER BY type(relation), end.key, relation.graphmem_since
  } AS sizes
ORDER BY key
