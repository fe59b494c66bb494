// Gives the relations that callers wrote between living entities and some that are to be hidden, with names.
// $keys  list of string, keys of the entities that are to be hidden
// -> key: string, other: string, start: string, relation: string, end: string
CYPHER 25
UNWIND $keys AS key
MATCH (entity:Entity {key: key})-[link:!HAS_PASSAGE]-(other:Entity)
WHERE other.live = true AND 'caller' IN coalesce(link.asserted_by, ['caller'])
RETURN key, other.key AS other, startNode(link).name AS start, type(link) AS relation, endNode(link).name AS end
ORDER BY start, relation, end, key, other
