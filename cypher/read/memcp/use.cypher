// Gives when and how often entities were found, and what decay has left of their weight.
// $keys  list of string
// -> key: string, accessed: datetime or null, access_count: integer, decay_weight: float
CYPHER 25
UNWIND $keys AS key
MATCH (entity:Entity {key: key})
RETURN key, entity.accessed AS accessed, coalesce(entity.access_count, 0) AS access_count,
  coalesce(entity.decay_weight, 1.0) AS decay_weight
ORDER BY key
