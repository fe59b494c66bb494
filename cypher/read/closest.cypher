// Gives the living entities one relation away from each of some entities, each by its heaviest relation.
// $keys       list of string
// $types      list of string, relation types that are followed, or an empty list for all
// $direction  'out' or 'in' for relations that lead away from an entity or to it, else 'both'
// $scan       integer, relations of one entity that are read
// $fanout     integer, neighbours given of one entity, those with the heaviest relations; cut where it may have more
// $search     map of the fields that its parts declare
// -> start: string, key: string, relation: string, outgoing: boolean, weight: float, note: string or null
// -> valid_from: any, valid_until: any, is_cut: boolean
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
  WITH other.key AS key, link, startNode(link) = entity AS outgoing,
    // include store/weight(relation = link)
      AS weight
  ORDER BY weight DESC, type(link), outgoing, link.graphmem_since
  WITH key, count(*) AS relations, collect({link: link, outgoing: outgoing, weight: weight})[0] AS heaviest
  ORDER BY heaviest.weight DESC, key
  WITH sum(relations) AS relations, collect({key: key, heaviest: heaviest}) AS neighbours
  RETURN neighbours[..$fanout] AS neighbours, relations = $scan OR size(neighbours) > $fanout AS is_cut
}
UNWIND neighbours AS neighbour
LET link = neighbour.heaviest.link
RETURN start, neighbour.key AS key, type(link) AS relation, neighbour.heaviest.outgoing AS outgoing,
  neighbour.heaviest.weight AS weight, link.note AS note, link.valid_from AS valid_from,
  link.valid_until AS valid_until, is_cut
ORDER BY start, weight DESC, key
