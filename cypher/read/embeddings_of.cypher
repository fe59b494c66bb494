// Gives the embeddings that entities have of their passages.
// $keys      list of string
// $property  string, the property of the set of embeddings
// -> digest: string, embedding: list of float
CYPHER 25
UNWIND $keys AS key
MATCH (:Entity {key: key})-[:HAS_PASSAGE]->(passage:Passage)
WHERE passage[$property] IS NOT NULL
RETURN DISTINCT passage.digest AS digest, passage[$property] AS embedding
ORDER BY digest
