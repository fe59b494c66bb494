// Counts the living entities of a project by kind and by tag, the commonest first.
// $project  string
// -> sort: string (kind or tag), name: string, count: integer
CYPHER 25
MATCH (entity:Entity {project: $project})
WHERE entity.live = true
UNWIND [['kind', entity.kind]] + [tag IN entity.tags | ['tag', tag]] AS pair
RETURN pair[0] AS sort, pair[1] AS name, count(*) AS count
ORDER BY sort, count DESC, name
