// Gives every label, relationship type and property key of the store.
// -> kinds: list of string, relations: list of string, attributes: list of string
CYPHER 25
CALL () {
  CALL db.labels()
  YIELD label
  RETURN collect(label) AS kinds
}
CALL () {
  CALL db.relationshipTypes()
  YIELD relationshipType
  RETURN collect(relationshipType) AS relations
}
CALL () {
  CALL db.propertyKeys()
  YIELD propertyKey
  RETURN collect(propertyKey) AS attributes
}
RETURN kinds, relations, attributes
ORDER BY size(kinds)
