// Gives the keys of the live entities that have some names, at most so many of them.
// $handles  string, Lucene text for the name index
// $forms    list of string, the name forms that are looked for
// $limit    integer, the most entities, at least 1
// -> key: string, forms: list of string
CYPHER 25
CALL db.index.fulltext.queryNodes('graphmem_entity_handles', $handles, {limit: $limit})
YIELD node
WHERE node.name IS NOT NULL AND node.live = true
RETURN node.key AS key, [form IN coalesce(node.graphmem_names, []) WHERE form IN $forms] AS forms
ORDER BY key
