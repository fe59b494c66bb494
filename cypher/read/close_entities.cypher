// Gives, of the living entities of a page, by key, those that may be the same things: by a name, or by meaning.
// $project    string
// $after      string, the last key of the page before, or an empty string
// $limit      integer, entities a page
// $near       integer, passages and names compared with each
// $threshold  float, the least cosine
// $caller  string, the author that callers are
// $code  string, how the authors begin that are imports of source code
// $first  string, the attribute with the first line of code; many stores have none
// $last  string, that with the last
// $dimensions  integer, how many numbers an embedding has, or null if nothing was embedded yet
// -> key: string, name: string, close: list of map
CYPHER 25
MATCH (entity:Entity {project: $project})
  USING INDEX SEEK entity:Entity(key)
// The keys of a project begin with its name and `#`, behind which `$` comes next.
WHERE entity.key >= $project + '#' AND entity.key < $project + '$' AND entity.key > $after AND entity.live = true
WITH entity
ORDER BY entity.key
LIMIT $limit
CALL (entity) {
  CALL (entity) {
    MATCH (entity)-[:HAS_PASSAGE]->(passage:Passage)
    WHERE passage.embedding IS NOT NULL
      AND passage.embedding IS :: LIST<FLOAT NOT NULL> AND coalesce(size(passage.embedding) = $dimensions, true)
    CALL (passage) {
      MATCH (near:Passage)
      SEARCH near IN (
        VECTOR INDEX graphmem_passage_embedding
        FOR passage.embedding
        WHERE near.project = $project AND near.live = true
        LIMIT $near
      ) SCORE AS similarity
      RETURN near, 2 * similarity - 1 AS cosine
    }
    WITH entity, near, cosine
    WHERE cosine >= $threshold
    MATCH (other:Entity)-[:HAS_PASSAGE]->(near)
    RETURN other, cosine, null AS name
    UNION ALL
    // The words are digests, so none of them is an operator.
    CALL db.index.fulltext.queryNodes('graphmem_entity_handles', entity.graphmem_handles, {limit: $near})
    YIELD node
    WITH entity, node
    // In code many functions of different files have one name.
    WHERE NOT all(each IN [entity, node] WHERE
      coalesce(all(author IN each.asserted_by WHERE author STARTS WITH $code), false)
        // Code that another import brought, such as that of an export.
        OR (each[$first] IS NOT NULL AND each[$last] IS NOT NULL AND NOT coalesce($caller IN each.asserted_by, true)))
    UNWIND [name IN node.graphmem_names WHERE name IN entity.graphmem_names] AS name
    RETURN node AS other, null AS cosine, name
  }
  WITH entity, other, max(cosine) AS cosine, collect(DISTINCT name) AS names
  WHERE other <> entity AND other.live = true AND other.project = $project
  WITH entity, other, cosine, names, COUNT {
    MATCH (entity)-[:!HAS_PASSAGE]-(both:Entity)
    WHERE both <> other AND EXISTS { (both)-[:!HAS_PASSAGE]-(other) }
    RETURN DISTINCT both
    LIMIT 20
  } AS neighbours
  ORDER BY size(names) DESC, cosine DESC, other.key
  RETURN collect({key: other.key, name: other.name, cosine: cosine, names: names, neighbours: neighbours}) AS close
}
RETURN entity.key AS key, entity.name AS name, close
ORDER BY key
