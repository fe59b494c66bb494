// Counts a project's entities, passages and relations, by kind, status, tag and type.
// $project  string
// -> entities: integer, passages: integer, pending: integer, relations: integer
// -> kinds: list of map, statuses: list of map, tags: list of map, types: list of map
CYPHER 25
CALL () {
  MATCH (entity:Entity {project: $project})
  WITH coalesce(toStringOrNull(entity.kind), '') AS kind, coalesce(toStringOrNull(entity.status), '') AS status,
    count(*) AS count
  RETURN coalesce(sum(count), 0) AS entities, collect({kind: kind, status: status, count: count}) AS groups
}
// include store/embedding_set
// All that leads from an entity is looked at once, since its passages and relations are stored in one list.
CALL (embedding_set) {
  MATCH (:Entity {project: $project})-[link]->(end)
  WITH type(link) AS name, end
  WITH name, count(CASE
      WHEN name = 'HAS_PASSAGE' AND end:Passage THEN true
      WHEN name <> 'HAS_PASSAGE' AND end:Entity THEN true
    END) AS count, count(CASE
      // One that has no embedding yet where embeddings of another model are searched now waits as well.
      WHEN name <> 'HAS_PASSAGE' OR NOT end:Passage THEN null
      WHEN embedding_set % 2 = 0 AND end.embedding IS NULL THEN true
      WHEN embedding_set % 2 = 1 AND end.embedding_2 IS NULL THEN true
    END) AS pending
  WHERE count > 0
  ORDER BY count DESC, name
  RETURN coalesce(sum(CASE name WHEN 'HAS_PASSAGE' THEN count END), 0) AS passages,
    coalesce(sum(pending), 0) AS pending,
    coalesce(sum(CASE name WHEN 'HAS_PASSAGE' THEN 0 ELSE count END), 0) AS relations,
    collect(CASE name WHEN 'HAS_PASSAGE' THEN null ELSE {name: name, count: count} END) AS types
}
RETURN entities, passages, pending, relations,
  COLLECT {
    UNWIND groups AS group
    WITH group.kind AS name, sum(group.count) AS count
    RETURN {name: name, count: count}
    ORDER BY count DESC, name
  } AS kinds,
  COLLECT {
    UNWIND groups AS group
    WITH group.status AS name, sum(group.count) AS count
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
  types
