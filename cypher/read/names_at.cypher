// Gives the names and kinds of entities, and the earlier states that changes of these after a moment have noted.
// $keys    list of string
// $moment  datetime
// -> key: string, name: string or null (where there is no such entity now), kind: string or null, befores: list of string (as JSON; the newest first)
CYPHER 25
UNWIND $keys AS key
OPTIONAL MATCH (entity:Entity {key: key})
RETURN key, entity.name AS name, entity.kind AS kind,
  COLLECT {
    MATCH (revision:GraphmemRevision {key: key})
    WHERE revision.at > $moment
      AND (revision.before CONTAINS '"name":' OR revision.before CONTAINS '"word/kind/":')
    RETURN revision.before
    ORDER BY revision.revision DESC
  } AS befores
ORDER BY key
