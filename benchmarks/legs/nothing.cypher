// A round trip and nothing else.
CYPHER 25
RETURN 1 AS one
