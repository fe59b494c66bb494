// Takes a share of the weight of entities that are still stale, down to a floor.
// $keys    list of string, sorted, so that two writers lock in the same order
// $before  datetime, they were last found, or else made, before it
// $factor  float, in [0, 1], what is left of the weight
// $floor   float, in [0, 1], the least that is left
// -> key: string, name: string, before: float, after: float
CYPHER 25
UNWIND $keys AS key
MATCH (entity:Entity {key: key})
SET entity.key = key
WITH entity, coalesce(entity.decay_weight, 1.0) AS weight
WHERE weight > $floor AND coalesce(entity.accessed, entity.created_at) < $before
WITH entity, weight, CASE WHEN weight * $factor < $floor THEN $floor ELSE weight * $factor END AS left
SET entity.decay_weight = left
RETURN entity.key AS key, entity.name AS name, weight AS before, left AS after
ORDER BY key
