// Deletes entities with their passages and relations.
// $keys  list of string
// -> deleted: integer
CYPHER 25
UNWIND $keys AS key
MATCH (entity:Entity {key: key})
OPTIONAL MATCH (entity)-[:HAS_PASSAGE]->(passage:Passage)
WITH entity, collect(passage) AS passages
FOREACH (passage IN passages | DETACH DELETE passage)
DETACH DELETE entity
RETURN count(*) AS deleted
