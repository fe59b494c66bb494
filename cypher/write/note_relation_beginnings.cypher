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
SET relation += {
    graphmem_since: '',
    valid_from_: coalesce(relation.valid_from, relation.valid_from_),
    valid_until_: coalesce(relation.valid_until, relation.valid_until_),
    assertions: replace(replace(relation.assertions,
      '"attribute/valid_from":', '"attribute/valid_from_":'),
      '"attribute/valid_until":', '"attribute/valid_until_":')
  }
REMOVE relation.valid_from, relation.valid_until
RETURN count(relation) AS changed
