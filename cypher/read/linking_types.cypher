// Gives those of some relation types by which entities of a project are linked.
// $project  string
// $types    list of string
// -> relation: string
CYPHER 25
UNWIND $types AS relation
CALL (relation) {
  MATCH (start:Entity)-[:$(relation)]->()
  WHERE start.project = $project
  RETURN true AS linked
  LIMIT 1
}
RETURN relation
ORDER BY relation
