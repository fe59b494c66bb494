// Gives the types of the relations from one entity to another.
// $start  string, the key of the first
// $end    string, the key of the other
// -> relation: string
CYPHER 25
MATCH (start:Entity {key: $start})-[relation:!HAS_PASSAGE]->(end:Entity {key: $end})
RETURN DISTINCT type(relation) AS relation
ORDER BY relation
