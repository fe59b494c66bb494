// Combines the evidence of the legs on an entity into its direct score, best first.
// <- by_leg: list of maps {leg, ranked: list of maps {entity, key, raw, evidence, passages, name}}
//   .strict  boolean, whether only what the text leg gave is a hit
//   .rrf  float, k of reciprocal rank fusion, or null for evidence
// -> candidates: list of maps {entity, key, direct, legs: list of maps {leg, rank, raw, evidence, passages, name}}
CALL (by_leg) {
  UNWIND by_leg AS of_leg
  UNWIND range(0, size(of_leg.ranked) - 1) AS number
  WITH of_leg.leg AS leg, number + 1 AS rank, of_leg.ranked[number] AS part
  WITH part.entity AS entity, max(part.key) AS key,
    collect({leg: leg, rank: rank, raw: part.raw, evidence: part.evidence, passages: part.passages,
      name: part.name}) AS legs
  WHERE NOT $search.strict OR any(part IN legs WHERE part.leg = 'text')
  WITH entity, key, legs,
    CASE
      WHEN $search.rrf IS NULL THEN 1 - reduce(rest = 1.0, part IN legs | rest * (1 - part.evidence))
      ELSE reduce(sum = 0.0, part IN legs | sum + 1 / ($search.rrf + part.rank))
    END AS direct
  ORDER BY direct DESC, key
  RETURN collect({entity: entity, key: key, direct: direct, legs: legs}) AS candidates
}
