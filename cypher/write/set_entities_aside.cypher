// Takes entities and their passages out of every search, as if they were not there; nothing is deleted.
// $keys  list of string
// -> passages: integer
CYPHER 25
UNWIND $keys AS key
MATCH (entity:Entity {key: key})
REMOVE entity:Entity
WITH entity
OPTIONAL MATCH (entity)-[:HAS_PASSAGE]->(passage:Passage)
REMOVE passage:Passage
RETURN count(passage) AS passages
