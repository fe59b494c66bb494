// Deletes passages that belong to no entity.
// $limit  integer, the most that are deleted
// -> deleted: integer
CYPHER 25
MATCH (passage:Passage)
WHERE NOT EXISTS { (:Entity)-[:HAS_PASSAGE]->(passage) }
WITH passage
LIMIT $limit
DETACH DELETE passage
RETURN count(*) AS deleted
