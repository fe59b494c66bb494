// Counts what a store holds, all projects together.
// -> nodes: integer, relationships: integer, entities: integer, passages: integer
CYPHER 25
RETURN
  COUNT { () } AS nodes,
  COUNT { ()-->() } AS relationships,
  COUNT { (:Entity) } AS entities,
  COUNT { (:Passage) } AS passages
ORDER BY nodes
