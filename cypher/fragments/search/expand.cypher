// Follows the strongest relations of the seeds to neighbours that pass the filters; not those of no strength at all.
// <- seeds: list of maps {entity, key, direct}
//   .scan  integer, relations read of one seed
//   .max_relations  integer, relations followed of one seed
//   .types  list of string, as `followed` has it
//   .exclude_types  list of string, likewise
//   .direction  string, likewise
//   .at  map, likewise
//   .weights  map {link, seed_exponent, seed_damping, neighbour_damping, …}, floats
//   .most_counted  integer, relations of one type and direction that are counted of an entity
// -> entity: node, key: null, direct: float, legs: list, skipped: integer, relations that were not followed
// -> reached: map {seed, key, seed_direct, passed, seed_relations, neighbour_relations, link: map {relation, neighbour, outgoing, weight, strength}, evidence}
UNWIND seeds AS candidate
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
  WITH degree, seed, type(relation) AS type, startNode(relation) = seed AS outgoing,
    collect({relation: relation, neighbour: neighbour}) AS alike
  UNWIND alike AS link
  WITH degree, outgoing, size(alike) AS seed_relations, link.relation AS relation, link.neighbour AS neighbour,
    link.neighbour <> seed AS is_other
  WITH degree, outgoing, seed_relations, relation, neighbour, is_other AND
    // include search/passes(entity = neighbour)
    AND
    // include search/holds(entity = neighbour)
      AS passes
  WITH relation, neighbour, outgoing, seed_relations, passes, degree > $search.max_relations AS many,
    // include store/weight
      AS weight,
    // include store/confidence
      AS confidence
  WITH relation, neighbour, outgoing, seed_relations, passes, many, weight, weight * confidence AS strength
  ORDER BY strength DESC, CASE WHEN many THEN relation.created_at END DESC,
    CASE WHEN many THEN neighbour.key END, type(relation), outgoing DESC
  RETURN count(*) AS read,
    collect(CASE WHEN passes AND strength > 0 THEN {
      relation: relation, neighbour: neighbour, outgoing: outgoing, weight: weight, strength: strength,
      seed_relations: CASE WHEN seed_relations > $search.most_counted THEN $search.most_counted ELSE seed_relations END
    } END) AS passing
}
WITH seed, seed_key, seed_direct, passing[..$search.max_relations] AS links,
  size(passing[$search.max_relations..]) + CASE
    WHEN read < $search.scan THEN 0
    WHEN size($search.types) + size($search.exclude_types) = 0 AND $search.direction = 'both' AND $search.at.day IS NULL
      THEN degree - read
    ELSE COUNT {
      MATCH (seed)-[relation:!HAS_PASSAGE]-(:Entity)
      WHERE
        // include search/followed
      RETURN relation
      LIMIT 5 * $search.scan
    } - read
  END AS skipped
WITH seed, seed_key, seed_direct, links, skipped
WHERE size(links) > 0 OR skipped > 0
UNWIND CASE skipped WHEN 0 THEN [] ELSE [null] END + range(0, size(links) - 1) AS number
WITH seed, seed_key, seed_direct, seed_direct ^ $search.weights.seed_exponent AS passed, links[number] AS link,
  CASE WHEN number IS NULL THEN skipped ELSE 0 END AS skipped
// include search/neighbour_relations
RETURN link.neighbour AS entity, null AS key, 0.0 AS direct, [] AS legs,
  {
    seed: seed, key: seed_key, seed_direct: seed_direct, passed: passed, link: link,
    seed_relations: link.seed_relations, neighbour_relations: neighbour_relations,
    evidence: $search.weights.link * link.strength * passed
      / (link.seed_relations ^ $search.weights.seed_damping * neighbour_relations ^ $search.weights.neighbour_damping)
  } AS reached, skipped
