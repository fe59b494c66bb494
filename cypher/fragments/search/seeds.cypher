// Joins the best hits and the best of the scope to the entities whose relations are followed.
// <- candidates: list of maps {entity, key, direct, …}, best first; of_scope: likewise
//   .seeds  integer, entities of each whose relations are followed; 0 for none
// -> seeds: list of maps {entity, key, direct}, best first
CALL (candidates, of_scope) {
  UNWIND candidates[..$search.seeds] + of_scope AS candidate
  WITH candidate.key AS key, max(candidate.direct) AS direct, collect(candidate.entity)[0] AS entity
  ORDER BY direct DESC, key
  RETURN collect({entity: entity, key: key, direct: direct}) AS seeds
}
