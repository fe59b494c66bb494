// Gives a page of entities, by key, with how many passages they have.
// $after  string, the last key of the page before, or an empty string
// $limit  integer
// -> key: string, passages: integer
CYPHER 25
MATCH (entity:Entity)
WHERE entity.key > $after
WITH entity
ORDER BY entity.key
LIMIT $limit
RETURN entity.key AS key, COUNT { (entity)-[:HAS_PASSAGE]->(:Passage) } AS passages
ORDER BY key
