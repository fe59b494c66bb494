// Tests whether an entity lives, relations lead to it, and it has neither title, text nor observation.
// <- entity: node
(entity.live = true
  AND entity.title IS NULL
  AND EXISTS { (entity)<--() }
  AND EXISTS {
    MATCH (entity)-[:HAS_PASSAGE]->(passage)
    WHERE passage.origin = 'card'
  }
)
