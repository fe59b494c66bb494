// Gives the names of a project's living entities whose passages a query leads to, the best first.
// $query    string, Lucene text
// $project  string, the project
// $limit    integer, the most passages that are looked at
// -> name: string
CYPHER 25
CALL db.index.fulltext.queryNodes('graphmem_passage_exact', $query, {limit: $limit})
YIELD node, score
MATCH (entity:Entity)-[:HAS_PASSAGE]->(node)
WHERE entity.project = $project AND entity.live = true AND entity.name IS NOT NULL
WITH entity.name AS name, max(score) AS best
RETURN name
ORDER BY best DESC, name
