// Tests whether an entity lives, relations lead to it, and it has neither title, text nor observation.
// <- entity: node
(entity.live
  AND entity.title IS NULL
  AND EXISTS { (entity)<-[:!HAS_PASSAGE]-(:Entity) }
  AND EXISTS { (entity)-[:HAS_PASSAGE]->(:Passage {origin: 'card'}) }
)
