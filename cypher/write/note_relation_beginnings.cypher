// Notes an empty beginning of relations that have none noted, and renames attributes with the names of a period.
// $keys   list of string, keys of the starts, sorted, so that two writers lock in the same order
// $limit  integer, the most relations that are changed
// $marks  list of string, what may stand behind such a name; the first is taken with which it is free
// -> changed: integer
CYPHER 25
UNWIND $keys AS key
MATCH (start:Entity {key: key})-[relation:!HAS_PASSAGE]->()
WHERE relation.graphmem_since IS NULL
WITH relation
LIMIT $limit
LET words = coalesce(relation.assertions, '')
LET from_mark = head([mark IN $marks
  WHERE relation['valid_from' + mark] IS NULL
    AND NOT words CONTAINS '"attribute/valid_from' + mark + '":'])
LET until_mark = head([mark IN $marks
  WHERE relation['valid_until' + mark] IS NULL
    AND NOT words CONTAINS '"attribute/valid_until' + mark + '":'])
SET relation['valid_from' + from_mark] = relation.valid_from,
    relation['valid_until' + until_mark] = relation.valid_until,
    relation.graphmem_since = '',
    relation.assertions = replace(replace(relation.assertions,
      '"attribute/valid_from":', '"attribute/valid_from' + from_mark + '":'),
      '"attribute/valid_until":', '"attribute/valid_until' + until_mark + '":')
REMOVE relation.valid_from, relation.valid_until
RETURN count(relation) AS changed
