// Deletes passages of entities.
// $rows  list of maps {key, ids}: the entity's key, ids of the passages that go
// -> written: integer
CYPHER 25
UNWIND $rows AS row
MATCH (entity:Entity {key: row.key})-[:HAS_PASSAGE]->(passage:Passage)
WHERE passage.id IN row.ids
DETACH DELETE passage
RETURN count(*) AS written
