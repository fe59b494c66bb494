// Gives how many relations start or end at entities, and how long their notes are; one between two of them counts twice.
// $keys   list of string
// $limit  integer, the most relations that are looked at
// -> relations: integer, characters: integer
CYPHER 25
UNWIND $keys AS key
MATCH (:Entity {key: key})-[relation:!HAS_PASSAGE]-(:Entity)
WITH relation
LIMIT $limit
RETURN count(*) AS relations, coalesce(sum(size(toStringOrNull(relation.note))), 0) AS characters
