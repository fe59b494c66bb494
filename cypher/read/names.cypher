// Gives a page of the names of a project's living entities, in the order of their keys.
// $project  string
// $after    string, the last key of the page before, or an empty string
// $limit    integer
// -> key: string, name: string, title: string or null, aliases: list of string
// -> authors: list of string or null (for the unknown author the import that brought the entity in), source: string or null
CYPHER 25
MATCH (entity:Entity {project: $project})
  USING INDEX SEEK entity:Entity(key)
// The keys of a project begin with its name and `#`, behind which `$` comes next.
WHERE entity.key >= $project + '#' AND entity.key < $project + '$' AND entity.key > $after AND entity.live = true
RETURN entity.key AS key, entity.name AS name, entity.title AS title, entity.aliases AS aliases,
  [author IN entity.asserted_by | CASE author WHEN 'unknown' THEN coalesce(entity.graphmem_imported, author) ELSE author END]
    AS authors, entity.source AS source
ORDER BY key
LIMIT $limit
