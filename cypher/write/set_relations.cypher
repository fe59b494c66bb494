// Sets all properties of relations that exist.
// $rows  list of maps {start, end, relation, properties}: two keys, the type, all properties
// -> written: integer
CYPHER 25
UNWIND $rows AS row
MATCH (start:Entity {key: row.start})-[relation:$(row.relation)]->(end:Entity {key: row.end})
SET relation = row.properties
RETURN count(relation) AS written
