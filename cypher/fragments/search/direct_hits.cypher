// Gives the candidates as they are, beside the neighbours that links lead to.
// <- candidates: list of maps {entity, key, direct, legs}
// -> entity: node, key: string, direct: float, legs: list, reached: null, skipped: integer
UNWIND candidates AS candidate
RETURN candidate.entity AS entity, candidate.key AS key, candidate.direct AS direct,
  candidate.legs AS legs, null AS reached, 0 AS skipped
