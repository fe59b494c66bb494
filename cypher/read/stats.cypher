// Counts a project's entities, passages and relations, by kind, status, tag and type.
// $project  string
// -> entities: integer, passages: integer, pending: integer, relations: integer
// -> kinds: list of map, statuses: list of map, tags: list of map, types: list of map
CYPHER 25
CALL () {
  MATCH (entity:Entity {project: $project})
  RETURN count(entity) AS entities
}
// include store/embedding_set
CALL (embedding_set) {
  MATCH (entity:Entity {project: $project})-[:HAS_PASSAGE]->(passage)
  // One that has no embedding yet where embeddings of another model are searched now waits as well.
  RETURN count(passage) AS passages, count(CASE
      WHEN embedding_set % 2 = 0 AND passage.embedding IS NULL THEN true
      WHEN embedding_set % 2 = 1 AND passage.embedding_2 IS NULL THEN true
    END) AS pending
}
RETURN entities, passages, pending,
  COUNT { (:Entity {project: $project})-[:!HAS_PASSAGE]->(:Entity) } AS relations,
  COLLECT {
    MATCH (entity:Entity {project: $project})
    WITH coalesce(toStringOrNull(entity.kind), '') AS name, count(*) AS count
    RETURN {name: name, count: count}
    ORDER BY count DESC, name
  } AS kinds,
  COLLECT {
    MATCH (entity:Entity {project: $project})
    WITH coalesce(toStringOrNull(entity.status), '') AS name, count(*) AS count
    RETURN {name: name, count: count}
    ORDER BY count DESC, name
  } AS statuses,
  COLLECT {
    MATCH (entity:Entity {project: $project})
    UNWIND entity.tags AS tag
    WITH toStringOrNull(tag) AS name, count(*) AS count
    RETURN {name: name, count: count}
    ORDER BY count DESC, name
  } AS tags,
  COLLECT {
    MATCH (:Entity {project: $project})-[relation:!HAS_PASSAGE]->(:Entity)
    WITH type(relation) AS name, count(*) AS count
    RETURN {name: name, count: count}
    ORDER BY count DESC, name
  } AS types
