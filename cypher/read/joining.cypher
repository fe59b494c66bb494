// Gives the heaviest relation between the two entities of each pair.
// $pairs  list of maps {start, end}: two keys
// -> start: string, end: string, relation: string, outgoing: boolean, weight: float, note: string or null
CYPHER 25
UNWIND $pairs AS pair
MATCH (start:Entity {key: pair.start})-[link:!HAS_PASSAGE]-(end:Entity {key: pair.end})
WITH pair, type(link) AS relation, startNode(link) = start AS outgoing,
  coalesce(link.weight, 1.0) AS weight, link.note AS note
ORDER BY weight DESC, relation, outgoing
WITH pair,
  collect({relation: relation, outgoing: outgoing, weight: weight, note: note})[0] AS best
RETURN pair.start AS start, pair.end AS end, best.relation AS relation, best.outgoing AS outgoing,
  best.weight AS weight, best.note AS note
ORDER BY start, end
