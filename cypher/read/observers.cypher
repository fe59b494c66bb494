// Gives those of some observations that a caller of a name has made or repeated since they were last added.
// $rows   list of maps {key, path}: an entity, and how the path of an observation stands in the JSON of a revision
// $by     string, the name
// $limit  integer, the most revisions of an entity that are looked at, the newest ones
// -> key: string, path: string
CYPHER 25
UNWIND $rows AS row
MATCH (entity:Entity {key: row.key})
OPTIONAL MATCH (creation:GraphmemChange {id: entity.graphmem_change})
WITH row, creation
CALL (row) {
  MATCH (revision:GraphmemRevision {key: row.key})
  WITH revision
  ORDER BY revision.revision DESC
  LIMIT $limit
  WITH revision
  WHERE revision.before CONTAINS row.path
  MATCH (change:GraphmemChange {id: revision.change})
  RETURN max(CASE WHEN revision.before CONTAINS row.path + 'null' THEN revision.revision END) AS added,
    collect({number: revision.revision, change: change}) AS revisions
}
WITH row, creation, added, [revision IN revisions WHERE revision.number >= coalesce(added, 0) | revision.change]
  + CASE WHEN added IS NULL THEN [] + creation ELSE [] END AS changes
WHERE any(change IN changes WHERE change.by = $by AND change.author IS NULL AND change.undoes IS NULL)
RETURN row.key AS key, row.path AS path
ORDER BY key, path
