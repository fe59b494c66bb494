// Orders the candidates of each leg by their evidence.
// <- gathered: list of maps {entity, key, leg, raw, evidence, passages, name}, commonly_named: list of such maps
// <- truncated_legs: list of string
//   .limit  integer, hits of a page
// -> by_leg: list of maps {leg, ranked: list of such maps}
// -> starved_legs: list of string, truncated legs with fewer entities than a page has hits
CALL (gathered, commonly_named, truncated_legs) {
  UNWIND gathered + commonly_named AS candidate
  WITH candidate
  // What does not hold was counted as given, and goes here.
  WHERE candidate.evidence IS NOT NULL
  ORDER BY candidate.evidence DESC, candidate.raw DESC, candidate.key
  WITH candidate.leg AS leg, collect(candidate) AS ranked
  WITH collect({leg: leg, ranked: ranked}) AS by_leg
  RETURN by_leg, [leg IN truncated_legs
    WHERE none(answer IN by_leg WHERE answer.leg = leg AND size(answer.ranked) >= $search.limit)]
    AS starved_legs
}
