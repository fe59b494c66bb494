// Gives the living entities one relation away from each of some entities, at any time, heaviest relation first.
// $keys    list of string
// $scan    integer, relations of one entity among which the heaviest are looked for
// $fanout  integer, relations given of one entity
// -> start: string, key: string, relation: string, outgoing: boolean, weight: float, note: string or null
// -> valid_from: any, valid_until: any
CYPHER 25
UNWIND $keys AS start
MATCH (entity:Entity {key: start})
CALL (entity) {
  MATCH (entity)-[link:!HAS_PASSAGE]-(other:Entity)
  WHERE other <> entity AND other.live = true AND other.project = entity.project
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
