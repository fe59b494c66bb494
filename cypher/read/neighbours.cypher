// Gives the living entities one relation away from each of some entities, heaviest relation first.
// $keys       list of string
// $types      list of string, relation types that are followed, or an empty list for all
// $direction  'out' or 'in' for relations that lead away from an entity or to it, else 'both'
// $scan       integer, relations of one entity among which the heaviest are looked for
// $fanout     integer, relations given of one entity
// $search     map of the fields that its parts declare
// -> start: string, key: string, relation: string, outgoing: boolean, weight: float, note: string or null
// -> valid_from: any, valid_until: any
CYPHER 25
UNWIND $keys AS start
MATCH (entity:Entity {key: start})
CALL (entity) {
  MATCH (entity)-[link:!HAS_PASSAGE]-(other:Entity)
  WHERE (size($types) = 0 OR type(link) IN $types)
    AND ($direction = 'both' OR (startNode(link) = entity) = ($direction = 'out'))
    AND other <> entity AND other.live = true AND other.project = entity.project AND
    // include search/holds(entity = link)
    AND
    // include search/holds(entity = other)
  WITH entity, link, other
  LIMIT $scan
  RETURN other.key AS key, type(link) AS relation, startNode(link) = entity AS outgoing,
    // include store/weight(relation = link)
      AS weight,
    link.note AS note, link.valid_from AS valid_from, link.valid_until AS valid_until
  ORDER BY weight DESC, key, relation, outgoing
  LIMIT $fanout
}
RETURN start, key, relation, outgoing, weight, note, valid_from, valid_until
ORDER BY start, weight DESC, key, relation, outgoing
