// Gives the names of a project's living entities whose passages a query leads to, the best first.
// $query    string, Lucene text
// $project  string, the project
// $limit    integer, the most passages that are looked at
// -> name: string, aliases: list of string
CYPHER 25
CALL db.index.fulltext.queryNodes('graphmem_passage_exact', $query, {limit: $limit})
YIELD node, score
MATCH (entity:Entity)-[:HAS_PASSAGE]->(node)
WHERE entity.project = $project AND entity.live = true AND entity.name IS NOT NULL
WITH entity, max(score) AS best
RETURN entity.name AS name, coalesce(entity.aliases, []) AS aliases
ORDER BY best DESC, name
