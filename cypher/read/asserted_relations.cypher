// Gives a page of the relations that an import asserted, and of those derived from texts, by their starts' keys.
// $project  string
// $author   string, the import, `format:path`, or null
// $derived  boolean, whether relations derived from texts are given, whoever derived them
// $after    string, the last start's key of the page before, or an empty string
// $limit    integer, starts a page
// -> start: string, source: string or null, removed: boolean, relations: list of map
CYPHER 25
MATCH (start:Entity {project: $project})
  USING INDEX SEEK start:Entity(key)
// The keys of a project begin with its name and `#`, behind which `$` comes next.
WHERE start.key >= $project + '#' AND start.key < $project + '$' AND start.key > $after
WITH start
ORDER BY start.key
LIMIT $limit
RETURN start.key AS start, start.source AS source, coalesce(start.status = 'removed', false) AS removed,
  COLLECT {
    MATCH (start)-[relation:!HAS_PASSAGE]->(end:Entity)
    WHERE $author IN relation.asserted_by
      OR ($derived AND relation.derived = true)
    RETURN {end: end.key, relation: type(relation), since: coalesce(relation.graphmem_since, ''), derived: relation.derived = true,
      own: coalesce($author IN relation.asserted_by, false),
      alone: relation.derived = true OR coalesce(size(relation.asserted_by), 1) = 1}
    ORDER BY end.key, type(relation), relation.graphmem_since
  } AS relations
ORDER BY start
