// Notes that entities were found: when last, how often, and that their weight is whole again.
// $rows  list of maps {key, times}, sorted by key, so that two writers lock in the same order
// $at    datetime, the moment of the last find
// -> written: integer
CYPHER 25
UNWIND $rows AS row
MATCH (entity:Entity {key: row.key})
SET entity.key = row.key
WITH row, entity
SET entity.accessed = $at,
  entity.access_count = coalesce(entity.access_count, 0) + row.times,
  entity.decay_weight = 1.0
RETURN count(entity) AS written
