// Renames graphmem's own properties of relations to begin with `graphmem_`, and custom attributes that did so before.
// $keys   list of string, keys of the starts, sorted, so that two writers lock in the same order
// $limit  integer, the most relations that are changed
// -> changed: integer
CYPHER 25
UNWIND $keys AS key
MATCH (start:Entity {key: key})-[relation:!HAS_PASSAGE]->()
WITH relation, [name IN keys(relation) WHERE name STARTS WITH 'graphmem_'
  AND NOT name IN ['graphmem_since', 'graphmem_assertions', 'graphmem_change']] AS custom
WHERE relation.assertions IS NOT NULL OR size(custom) > 0
WITH relation, custom
LIMIT $limit
SET relation.graphmem_assertions =
  reduce(record = coalesce(relation.assertions, relation.graphmem_assertions), name IN custom |
    replace(record, '"attribute/' + name + '":', '"attribute/_' + name + '":'))
REMOVE relation.assertions
FOREACH (name IN custom |
  SET relation['_' + name] = relation[name]
  SET relation[name] = null)
RETURN count(relation) AS changed
