// Gives a page of the entities of a project that some changes created or brought back and that are there, by their keys.
// $project  string
// $changes  list of string, their ids
// $removed  string, how a revision tells that an entity was hidden before
// $texts    list of string, the beginnings of texts that are looked for
// $after    string, the last key of the page before, or an empty string
// $limit    integer
// -> key: string, kind: string, text: string or null (its first passage if that is looked for)
CYPHER 25
MATCH (entity:Entity {project: $project})
  USING INDEX SEEK entity:Entity(key)
// The keys of a project begin with its name and `#`, behind which `$` comes next.
WHERE entity.key >= $project + '#' AND entity.key < $project + '$' AND entity.key > $after
  AND (entity.live = true OR NOT entity.status IN ['removed', 'forgotten'])
  AND (entity.graphmem_change IN $changes OR EXISTS {
    MATCH (revision:GraphmemRevision {key: entity.key})
    WHERE revision.change IN $changes AND revision.before CONTAINS $removed
  })
WITH entity
ORDER BY entity.key
LIMIT $limit
RETURN entity.key AS key, entity.kind AS kind, [
  (entity)-[:HAS_PASSAGE]->(passage:Passage)
  WHERE passage.origin = 'text' AND passage.position = 0 AND passage.text IN $texts | passage.text
][0] AS text
ORDER BY key
