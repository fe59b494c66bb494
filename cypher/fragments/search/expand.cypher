// Follows the heaviest relations of the best candidates to neighbours that pass the filters.
// <- candidates: list of maps {entity, key, direct}
//   .seeds  integer, entities whose relations are followed; 0 for none
//   .scan  integer, relations read of one seed
//   .max_relations  integer, relations followed of one seed
//   .types  list of string, as `followed` has it
//   .exclude_types  list of string, likewise
//   .direction  string, likewise
//   .weights  map {link, damping, …}, floats
// -> entity: node, key: null, direct: float, legs: list, skipped: integer, relations that were not followed
// -> reached: map {seed, key, seed_direct, degree, link: map {relation, neighbour, outgoing, weight}, evidence}
UNWIND candidates[..$search.seeds] AS candidate
WITH candidate.entity AS seed, candidate.key AS seed_key, candidate.direct AS seed_direct
WITH seed, seed_key, seed_direct,
  COUNT { (seed)--() } - COUNT { (seed)-[:HAS_PASSAGE]->() } AS degree
WHERE degree > 0
CALL (seed, degree) {
  MATCH (seed)-[relation:!HAS_PASSAGE]-(neighbour:Entity)
  WHERE
    // include search/followed
  WITH seed, degree, relation, neighbour
  LIMIT $search.scan
  WITH degree, relation, neighbour, startNode(relation) = seed AS outgoing,
    neighbour <> seed AND
    // include search/passes(entity = neighbour)
      AS passes
  WITH relation, neighbour, outgoing, passes, degree > $search.max_relations AS many,
    coalesce(relation.weight, 1.0) AS weight
  ORDER BY weight DESC, CASE WHEN many THEN relation.created_at END DESC,
    CASE WHEN many THEN neighbour.key END, type(relation), outgoing DESC
  RETURN count(*) AS read,
    collect(CASE WHEN passes THEN {
      relation: relation, neighbour: neighbour, outgoing: outgoing, weight: weight
    } END) AS passing
}
WITH seed, seed_key, seed_direct, degree, passing[..$search.max_relations] AS links,
  size(passing[$search.max_relations..]) + CASE
    WHEN read < $search.scan THEN 0
    WHEN size($search.types) + size($search.exclude_types) = 0 AND $search.direction = 'both'
      THEN degree - read
    ELSE COUNT {
      MATCH (seed)-[relation:!HAS_PASSAGE]-(:Entity)
      WHERE
        // include search/followed
      RETURN relation
      LIMIT 5 * $search.scan
    } - read
  END AS skipped
WITH seed, seed_key, seed_direct, degree, links, skipped
WHERE size(links) > 0 OR skipped > 0
UNWIND CASE skipped WHEN 0 THEN [] ELSE [null] END + range(0, size(links) - 1) AS number
WITH seed, seed_key, seed_direct, degree, links[number] AS link,
  CASE WHEN number IS NULL THEN skipped ELSE 0 END AS skipped
RETURN link.neighbour AS entity, null AS key, 0.0 AS direct, [] AS legs,
  {
    seed: seed, key: seed_key, seed_direct: seed_direct, degree: degree, link: link,
    evidence: $search.weights.link * link.weight * seed_direct / degree ^ $search.weights.damping
  } AS reached, skipped
