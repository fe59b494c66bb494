// Gives the hidden entities that some entities have superseded.
// $keys  list of string
// -> key: string
CYPHER 25
UNWIND $keys AS key
MATCH (:Entity {key: key})-[:SUPERSEDES]->(replaced:Entity {live: false})
WHERE toLower(replaced.status) = 'superseded'
RETURN DISTINCT replaced.key AS key
ORDER BY key
