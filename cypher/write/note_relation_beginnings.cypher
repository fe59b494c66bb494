// Notes of relations without a noted beginning that they have none, and gives attributes with the names of a period others.
// $keys   list of string, keys of the starts, sorted, so that two writers lock in the same order
// $limit  integer, the most relations that are changed
// -> changed: integer
CYPHER 25
UNWIND $keys AS key
MATCH (start:Entity {key: key})-[relation:!HAS_PASSAGE]->()
WHERE relation.graphmem_since IS NULL
WITH relation
LIMIT $limit
LET mark_from = CASE WHEN relation.valid_from_ IS NULL THEN '_' ELSE '__' END
LET mark_until = CASE WHEN relation.valid_until_ IS NULL THEN '_' ELSE '__' END
SET relation += {
    graphmem_since: '',
    valid_from_: coalesce(relation.valid_from_, relation.valid_from),
    valid_from__: CASE mark_from WHEN '__' THEN relation.valid_from END,
    valid_until_: coalesce(relation.valid_until_, relation.valid_until),
    valid_until__: CASE mark_until WHEN '__' THEN relation.valid_until END,
    assertions: replace(replace(relation.assertions,
      '"attribute/valid_from":', '"attribute/valid_from' + mark_from + '":'),
      '"attribute/valid_until":', '"attribute/valid_until' + mark_until + '":')
  }
REMOVE relation.valid_from, relation.valid_until
RETURN count(relation) AS changed
