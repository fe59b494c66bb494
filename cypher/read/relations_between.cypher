// Gives the relations of a type between two entities, whenever they begin.
// $links  list of maps {start, end, relation}, two keys and the type; distinct
// -> start: string, end: string, relation: string, since: string, stored: map
CYPHER 25
UNWIND $links AS link
MATCH (start:Entity {key: link.start})
MATCH (end:Entity {key: link.end})
MATCH (start)-[relation:$(link.relation)]->(end)
RETURN link.start AS start, link.end AS end, link.relation AS relation,
  coalesce(relation.graphmem_since, '') AS since, properties(relation) AS stored
ORDER BY start, end, relation, since
