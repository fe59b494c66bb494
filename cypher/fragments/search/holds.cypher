// Tests whether an entity, a passage or a relation holds at the time that is asked for; what says nothing of it always does.
// <- entity: node or relationship
//   .at  map {day, first, last}: the day, and its first and last moment or twice the same; null each for any time
(entity.valid_from IS NULL OR coalesce(entity.valid_from <= $search.at.day, entity.valid_from <= $search.at.last, true))
AND (entity.valid_until IS NULL
  OR coalesce(entity.valid_until >= $search.at.day, entity.valid_until >= $search.at.first, true))
