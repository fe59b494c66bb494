// Counts passages that belong to no entity.
// -> passages: integer
CYPHER 25
MATCH (passage:Passage)
WHERE NOT EXISTS { (:Entity)-[:HAS_PASSAGE]->(passage) }
RETURN count(passage) AS passages
ORDER BY passages
