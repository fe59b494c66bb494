// Gives the changes of a project in a time, the newest first, with how many entities each changed, and the first five by key.
// $project  string
// $since    datetime, the first moment
// $until    datetime or null, the last moment
// $limit    integer
// -> change: map, revised: integer, names: list of string
CYPHER 25
MATCH (change:GraphmemChange)
WHERE change.project = $project AND change.at >= $since
  AND ($until IS NULL OR change.at <= $until)
WITH change
ORDER BY change.at DESC, change.id
LIMIT $limit
CALL (change) {
  MATCH (revision:GraphmemRevision {change: change.id})
  WITH DISTINCT revision.key AS key
  ORDER BY key
  RETURN count(*) AS revised, collect(key)[..5] AS keys
}
RETURN properties(change) AS change, revised,
  COLLECT {
    UNWIND keys AS key
    OPTIONAL MATCH (entity:Entity {key: key})
    RETURN coalesce(entity.name, split(key, '#')[-1]) AS name
    ORDER BY name
  } AS names
ORDER BY change.at DESC, change.id
