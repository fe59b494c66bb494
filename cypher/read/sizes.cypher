// Gives how much entities hold, without what is made of their passages; those that are not there are left out.
// $keys  list of string
// -> key: string, passages: integer, characters: integer
CYPHER 25
UNWIND $keys AS key
MATCH (entity:Entity {key: key})
CALL (entity) {
  MATCH (entity)-[:HAS_PASSAGE]->(passage:Passage)
  RETURN coalesce(sum(size(toStringOrNull(passage.text))), 0) AS text_characters, count(passage) AS passages
}
RETURN key, passages,
  // What is removed while it is read has no size.
  text_characters + reduce(total = 0, name IN keys(entity) | total + coalesce(CASE
    WHEN name IN ['graphmem_text', 'graphmem_called', 'graphmem_identifier_parts'] THEN 0
    WHEN entity[name] IS :: STRING THEN size(entity[name])
    WHEN entity[name] IS :: LIST<STRING> THEN reduce(sum = 0, item IN entity[name] | sum + size(item))
    ELSE 8
  END, 0)) AS characters
ORDER BY key
