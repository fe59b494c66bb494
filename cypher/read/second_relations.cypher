// Gives the one relation of the type that new relations stand beside; nothing where there is none, or several.
// $links   list of maps {start, end, relation}, the new ones
// $search  map of the fields that its parts declare
// -> start: string, kind: string or null, end: string, relation: string, other: string
CYPHER 25
UNWIND $links AS new
MATCH (start:Entity {key: new.start})
MATCH (end:Entity {key: new.end})
CALL (new, start, end) {
  MATCH (start)-[link:$(new.relation)]->(other:Entity)
  WHERE other <> end AND other.live = true AND
    // include search/holds(entity = link)
  WITH DISTINCT other.name AS name
  LIMIT 2
  RETURN collect(name) AS others
}
WITH new, start, end, others
WHERE size(others) = 1
RETURN start.name AS start, start.kind AS kind, end.name AS end, new.relation AS relation, others[0] AS other
ORDER BY start, relation, end
