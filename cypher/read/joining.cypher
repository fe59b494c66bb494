// Gives the heaviest relation between the two entities of each pair.
// $pairs      list of maps {start, end}: two keys
// $types      list of string, relation types that count, or an empty list for all
// $direction  'out' or 'in' for relations from the start to the end or the other way, else 'both'
// $search     map of the fields that its parts declare
// -> start: string, end: string, relation: string, outgoing: boolean, weight: float, note: string or null
// -> valid_from: any, valid_until: any
CYPHER 25
UNWIND $pairs AS pair
MATCH (start:Entity {key: pair.start})
MATCH (end:Entity {key: pair.end})
// With both ends at hand, or all relations of one are looked at for every pair, and it may be a hub.
CALL (start, end) {
  MATCH (start)-[link:!HAS_PASSAGE]-(end)
  RETURN link
}
WITH pair, start, link
WHERE (size($types) = 0 OR type(link) IN $types)
  AND ($direction = 'both' OR (startNode(link) = start) = ($direction = 'out')) AND
  // include search/holds(entity = link)
WITH pair, type(link) AS relation, startNode(link) = start AS outgoing,
  // include store/weight(relation = link)
    AS weight,
  link.note AS note, link.valid_from AS valid_from, link.valid_until AS valid_until
ORDER BY weight DESC, relation, outgoing
WITH pair,
  collect({relation: relation, outgoing: outgoing, weight: weight, note: note,
    valid_from: valid_from, valid_until: valid_until})[0] AS best
RETURN pair.start AS start, pair.end AS end, best.relation AS relation, best.outgoing AS outgoing,
  best.weight AS weight, best.note AS note, best.valid_from AS valid_from, best.valid_until AS valid_until
ORDER BY start, end
