// The entities nearest to a vector among those that pass a condition, every text of theirs compared.
CYPHER 25
MATCH (entity:Entity {project: $project})
WHERE $condition
CALL (entity) {
  MATCH (entity)-[:HAS_PASSAGE]->(passage)
  RETURN max(vector.similarity.cosine(passage.embedding, $vector)) AS similarity
}
WITH entity, similarity
ORDER BY similarity DESC, entity.key
WITH collect({key: entity.key, cosine: 2 * similarity - 1}) AS those
RETURN size(those) AS passing, [one IN those WHERE one.cosine > $least | one.key][..$best] AS keys
