// Gives entities whole, with their passages and relations in both directions.
// $keys       list of string
// $relations  integer, the most relations given of one entity and direction, none with a hidden one but those that lead to what it superseded and to what is removed
// -> entity: map, passages: list of map, outgoing: list of map, incoming: list of map
// -> relations: integer (of both directions; those to hidden entities are left out likewise)
CYPHER 25
UNWIND $keys AS key
MATCH (entity:Entity {key: key})
RETURN entity {.*, graphmem_called: null, graphmem_filters: null, graphmem_handles: null,
    graphmem_identifier_parts: null, graphmem_names: null, graphmem_text: null} AS entity,
  COLLECT {
    MATCH (entity)-[:HAS_PASSAGE]->(passage:Passage)
    RETURN passage {.id, .text, .origin, .position, .created_at, .source, .confidence,
      .valid_from, .valid_until}
    ORDER BY passage.position
  } AS passages,
  COLLECT {
    MATCH (entity)-[relation:!HAS_PASSAGE]->(other:Entity)
    WHERE other.live = true OR toLower(other.status) = 'removed'
      OR type(relation) = 'SUPERSEDES' AND toLower(other.status) = 'superseded'
    RETURN {relation: type(relation), name: other.name, kind: other.kind,
      status: CASE WHEN other.live = true THEN null ELSE other.status END,
      stored: properties(relation)}
    ORDER BY type(relation), other.key, relation.graphmem_since
    LIMIT $relations
  } AS outgoing,
  COLLECT {
    MATCH (entity)<-[relation:!HAS_PASSAGE]-(other:Entity)
    WHERE other.live = true
    RETURN {relation: type(relation), name: other.name, kind: other.kind, status: null,
      stored: properties(relation)}
    ORDER BY type(relation), other.key, relation.graphmem_since
    LIMIT $relations
  } AS incoming,
  COUNT { (entity)-[:!HAS_PASSAGE]->(:Entity {live: true}) }
    + COUNT { (entity)<-[:!HAS_PASSAGE]-(:Entity {live: true}) }
    + COUNT {
      MATCH (entity)-[relation:!HAS_PASSAGE]->(other:Entity {live: false})
      WHERE toLower(other.status) = 'removed'
        OR type(relation) = 'SUPERSEDES' AND toLower(other.status) = 'superseded'
    } AS relations
ORDER BY key
