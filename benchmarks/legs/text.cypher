// The text leg alone, as a search asks it where the project fills the store.
CYPHER 25
UNWIND $unfiltered_texts AS wanted
CALL db.index.fulltext.queryNodes(wanted.index, wanted.query, {limit: $unfiltered_text_pool})
YIELD node, score
WITH node, score
ORDER BY score DESC
WHERE node.project IN $projects AND node.live IN $live
RETURN elementId(node) AS id, score
LIMIT $pool
