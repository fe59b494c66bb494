// Gives a page of the entities of a project that an import asserted, without those that are removed, in the order of their keys.
// $project  string
// $author   string, the import, `format:path`
// $after    string, the last key of the page before, or an empty string
// $limit    integer
// -> key: string, name: string, live: boolean, source: string or null, authors: list of string or null, record: string or null
CYPHER 25
MATCH (entity:Entity {project: $project})
  USING INDEX SEEK entity:Entity(key)
// The keys of a project begin with its name and `#`, behind which `$` comes next.
WHERE entity.key >= $project + '#' AND entity.key < $project + '$' AND entity.key > $after
  AND (entity.live = true OR entity.status <> 'removed')
  AND ($author IN entity.asserted_by OR entity.graphmem_imported = $author)
RETURN entity.key AS key, entity.name AS name, coalesce(entity.live = true, false) AS live,
  entity.source AS source, entity.asserted_by AS authors, entity.graphmem_assertions AS record
ORDER BY key
LIMIT $limit
