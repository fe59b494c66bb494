// Leaves the candidates that pass the filters, also those that no index knows.
// <- gathered: list of maps {entity, …}
// -> eligible: list of maps, as they came
CALL (gathered) {
  UNWIND gathered AS candidate
  WITH candidate, candidate.entity AS entity
  WHERE
    // include search/passes
  RETURN collect(candidate) AS eligible
}
