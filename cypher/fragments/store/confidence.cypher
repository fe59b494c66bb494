// Gives how sure a relation is: 1 where it says nothing, or something else than a number from 0 to 1.
// <- relation: relationship
coalesce(
  CASE WHEN 0 <= toFloatOrNull(relation.confidence) <= 1 THEN toFloatOrNull(relation.confidence) END,
  1.0
)
