// Gives a page of the living entities of a project that were not found since a moment, by key.
// $project  string
// $before   datetime, they were last found, or else made, before it
// $floor    float, only those with a weight above it
// $after    string, the last key of the page before, or an empty string
// $limit    integer
// -> key: string, name: string, weight: float
CYPHER 25
MATCH (entity:Entity {project: $project})
  USING INDEX SEEK entity:Entity(key)
// The keys of a project begin with its name and `#`, behind which `$` comes next.
WHERE entity.key >= $project + '#' AND entity.key < $project + '$' AND entity.key > $after
  AND entity.live = true
  AND coalesce(entity.accessed, entity.created_at) < $before
  AND coalesce(entity.decay_weight, 1.0) > $floor
RETURN entity.key AS key, entity.name AS name, coalesce(entity.decay_weight, 1.0) AS weight
ORDER BY key
LIMIT $limit
