// Gives the moment from which on the history of every entity of some projects is whole.
// $projects  list of string
// -> first: datetime or null (that it is whole)
CYPHER 25
MATCH (entity:Entity)
WHERE entity.project IN $projects AND entity.graphmem_history_from IS NOT NULL
RETURN max(entity.graphmem_history_from) AS first
