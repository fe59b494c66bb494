// Gives the commonest kinds and relation types of a store, all projects together; a part stands for a large store.
// $counted  integer, entities and relations that are counted
// $most     integer, kinds and types that are given
// -> kinds: list of string, types: list of string
CYPHER 25
CALL () {
  MATCH (entity:Entity)
  WHERE entity.kind IS NOT NULL
  WITH entity
  LIMIT $counted
  WITH entity.kind AS kind, count(*) AS count
  ORDER BY count DESC, kind
  LIMIT $most
  RETURN collect(kind) AS kinds
}
CALL () {
  MATCH (:Entity)-[relation:!HAS_PASSAGE]->(:Entity)
  WITH relation
  LIMIT $counted
  WITH type(relation) AS type, count(*) AS count
  ORDER BY count DESC, type
  LIMIT $most
  RETURN collect(type) AS types
}
RETURN kinds, types
ORDER BY size(kinds)
