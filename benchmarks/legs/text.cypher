// The text leg alone.
CYPHER 25
UNWIND $texts AS wanted
CALL db.index.fulltext.queryNodes(wanted.index, wanted.query, {limit: $pool})
YIELD node, score
RETURN node.id AS id, score
