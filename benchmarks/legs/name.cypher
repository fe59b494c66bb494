// The name leg alone.
CYPHER 25
UNWIND $name_queries AS wanted
CALL db.index.fulltext.queryNodes('graphmem_entity_handles', wanted, {limit: $pool})
YIELD node, score
RETURN node.key AS key, score
