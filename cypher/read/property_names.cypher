// Gives the names of properties that the store has had, of those that are written like some names.
// $names  list of string, in small letters; those with other letters than English ones are compared by the caller
// -> name: string
CYPHER 25
CALL db.propertyKeys()
YIELD propertyKey
WITH propertyKey AS name
WHERE toLower(name) IN $names OR name =~ '.*[^\\x00-\\x7F].*'
RETURN name
ORDER BY name
