// Gives the names, kinds and statuses of entities, and the earlier states that changes of these after a moment have noted.
// $keys    list of string
// $moment  datetime
// $paths   list of string, the paths that tell of these, as JSON writes them
// -> key: string, name: string or null (where there is no such entity now), kind: string or null, status: string or null
// -> befores: list of string (as JSON; the newest first)
CYPHER 25
UNWIND $keys AS key
OPTIONAL MATCH (entity:Entity {key: key})
RETURN key, entity.name AS name, entity.kind AS kind, entity.status AS status,
  COLLECT {
    MATCH (revision:GraphmemRevision {key: key})
    WHERE revision.at > $moment
      AND any(path IN $paths WHERE revision.before CONTAINS path)
    RETURN revision.before
    ORDER BY revision.revision DESC
  } AS befores
ORDER BY key
