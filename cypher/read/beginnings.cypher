// Gives the kinds of entities and how their texts begin.
// $keys      list of string
// $passages  integer, of how many passages
// -> key: string, kind: string, text: string or null
CYPHER 25
UNWIND $keys AS key
MATCH (entity:Entity {key: key})
CALL (entity) {
  MATCH (entity)-[:HAS_PASSAGE]->(passage:Passage)
  WHERE passage.origin = 'text' AND passage.position < $passages
  WITH passage
  ORDER BY passage.position
  RETURN reduce(text = '', part IN collect(passage.text) | text + part) AS text
}
RETURN entity.key AS key, entity.kind AS kind, CASE text WHEN '' THEN null ELSE text END AS text
ORDER BY key
