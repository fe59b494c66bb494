// Gives the weight of a relation: 1 where it has none, or something else than a number from 0 to 1.
// <- relation: relationship
coalesce(
  CASE WHEN 0 <= toFloatOrNull(relation.weight) <= 1 THEN toFloatOrNull(relation.weight) END,
  1.0
)
