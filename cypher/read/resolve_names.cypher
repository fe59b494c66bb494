// Finds the entities that names lead to: by key first, else by name, alias or title.
// $keys     list of string, keys that are looked up as they stand
// $handles  list of string, Lucene text for the name index, or an empty list
// $forms    list of string, the name forms that are looked for
// -> key: string, name: string, forms: list of string, live: boolean, status: string, authors: list of string or null, source: string or null
CYPHER 25
CALL () {
  MATCH (entity:Entity)
  WHERE entity.key IN $keys
  RETURN entity
  UNION
  UNWIND $handles AS wanted
  CALL db.index.fulltext.queryNodes('graphmem_entity_handles', wanted)
  YIELD node
  RETURN node AS entity
}
// One that is deleted meanwhile has no properties any more.
WITH entity
WHERE entity.name IS NOT NULL
RETURN entity.key AS key, entity.name AS name,
  [form IN coalesce(entity.graphmem_names, []) WHERE form IN $forms] AS forms, entity.live = true AS live,
  entity.status AS status, entity.asserted_by AS authors, entity.source AS source
ORDER BY key
