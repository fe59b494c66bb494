// Gives those of some entities that pass filters, with how much goes when they are deleted.
// $keys    list of string
// $among   list of string, the keys that may be selected, or an empty list for all of the project
// $search  map of the fields that its parts declare, one parameter as in a search
//   .live  list of boolean, whether those that live may pass, and whether those that do not
// -> key: string, name: string, kind: string, passages: integer, relations: integer (one between two that pass counts at its start), revisions: integer
CYPHER 25
UNWIND $keys AS key
MATCH (entity:Entity {key: key})
WHERE coalesce(entity.live, true) IN $search.live AND
  // include search/passes
RETURN key, coalesce(entity.name, key) AS name, coalesce(entity.kind, '') AS kind,
  COUNT { (entity)-[:HAS_PASSAGE]->() } AS passages,
  COUNT { (entity)-[:!HAS_PASSAGE]->(:Entity) } + COUNT {
    MATCH (entity)<-[:!HAS_PASSAGE]-(other:Entity)
    WHERE NOT coalesce(other.project = entity.project
      AND (size($among) = 0 OR other.key IN $among)
      AND coalesce(other.live, true) IN $search.live AND
        // include search/passes(entity = other)
      , false)
  } AS relations,
  COUNT { (:GraphmemRevision {key: key}) } + COUNT {
    MATCH (redirect:GraphmemRedirect {target: key})
    USING INDEX SEEK redirect:GraphmemRedirect(target)
    MATCH (:GraphmemRevision {key: redirect.key})
  } AS revisions
ORDER BY key
