// Gives evidence of names that are too common for the name leg to candidates of other legs that have such a name.
// <- gathered: list of maps {entity, key, leg, raw, evidence, pieces, name, …}
//   .pool  integer, candidates of a leg
// -> commonly_named: list of such maps
CALL (gathered) {
  LET common = COLLECT {
    UNWIND gathered AS candidate
    WITH candidate
    WHERE candidate.leg = 'name' AND candidate.pieces >= $search.pool
    WITH candidate.name AS name, min(candidate.raw) AS raw, min(candidate.evidence) AS evidence
    RETURN {name: name, raw: raw, evidence: evidence}
  }
  UNWIND CASE WHEN size(common) = 0 THEN [] ELSE gathered END AS candidate
  WITH common, candidate.entity AS entity, candidate.key AS key, collect(candidate.leg) AS legs
  WHERE NOT 'name' IN legs AND
    // include search/holds
  UNWIND [mention IN common WHERE mention.name IN entity.graphmem_names] AS mention
  WITH entity, key, mention
  ORDER BY mention.evidence DESC, mention.name
  WITH entity, key, collect(mention)[0] AS best
  RETURN collect({entity: entity, key: key, leg: 'name', raw: best.raw, evidence: best.evidence, passages: [],
    pieces: 0, name: best.name}) AS commonly_named
}
