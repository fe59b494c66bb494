// Counts those of some entities that have a relation of a type, and those that have several.
// $query     string, Lucene text of filters
// $project   string
// $relation  string, the type
// $limit     integer, the most entities
// $scan      integer, relations read of one entity
// $search    map of the fields that its parts declare
// -> entities: integer, several: integer
CYPHER 25
CALL db.index.fulltext.queryNodes('graphmem_entity_handles', $query, {limit: $limit})
YIELD node AS entity
WITH entity
WHERE entity.project = $project AND entity.live = true
CALL (entity) {
  MATCH (entity)-[link]->(:Entity)
  WITH link
  LIMIT $scan
  WHERE type(link) = $relation AND
    // include search/holds(entity = link)
  RETURN count(*) AS relations
}
WITH relations
WHERE relations > 0
RETURN count(*) AS entities, count(CASE WHEN relations > 1 THEN 1 END) AS several
