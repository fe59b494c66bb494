// Gives the living entities one relation away from any of some entities, and the first that leads to each.
// $keys       list of string
// $types      list of string, relation types that are followed, or an empty list for all
// $direction  'out' or 'in' for relations that lead away from an entity or to it, else 'both'
// $limit      integer
// $search     map of the fields that its parts declare
// -> key: string, parent: string
CYPHER 25
UNWIND $keys AS start
MATCH (entity:Entity {key: start})-[link:!HAS_PASSAGE]-(other:Entity)
WHERE other.live = true AND other.project = entity.project AND (size($types) = 0 OR type(link) IN $types)
  AND ($direction = 'both' OR (startNode(link) = entity) = ($direction = 'out')) AND
  // include search/holds(entity = link)
  AND
  // include search/holds(entity = other)
RETURN other.key AS key, min(start) AS parent
ORDER BY key
LIMIT $limit
