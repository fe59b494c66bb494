// Gives the relations between entities of a project that an import said, and those out of some texts.
// $project   string
// $imported  string, `format:path`, or null
// $texts     list of string, keys of entities; relations derived from their texts are given as well
// -> start: string, end: string, relation: string, source: string or null, derived: boolean
CYPHER 25
MATCH (start:Entity {project: $project})
CALL (start) {
  MATCH (start)-[relation:!HAS_PASSAGE]->(end:Entity)
  WHERE relation.imported = $imported OR (relation.derived = true AND start.key IN $texts)
  RETURN relation, end
}
RETURN start.key AS start, end.key AS end, type(relation) AS relation, start.source AS source,
  coalesce(relation.derived = true, false) AS derived
ORDER BY start, end, relation
