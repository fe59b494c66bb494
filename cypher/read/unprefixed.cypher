// Gives those of some entities that have properties of graphmem under the names without a prefix, as stores had until version 5, and how long their texts are.
// $keys  list of string
// -> key: string, characters: integer
CYPHER 25
UNWIND $keys AS key
MATCH (entity:Entity {key: key})
WHERE any(name IN ['filters', 'handles', 'names', 'called', 'identifier_parts', 'assertions', 'imported', 'unlinked']
  WHERE entity[name] IS NOT NULL)
RETURN key, reduce(total = 0, name IN keys(entity) | total + CASE
    WHEN entity[name] IS :: STRING THEN size(entity[name])
    WHEN entity[name] IS :: LIST<STRING> THEN reduce(sum = 0, item IN entity[name] | sum + size(item))
    ELSE 8
  END) AS characters
ORDER BY key
