// Gives the names and the numbers of lines of the live files of source code among some entities.
// $keys  list of string
// $last  string, the attribute with the last line; many stores have none
// -> key: string, name: string, lines: integer
CYPHER 25
UNWIND $keys AS key
MATCH (file:Entity {key: key})
WHERE file.live = true AND file.name IS NOT NULL AND file[$last] IS :: INTEGER NOT NULL
RETURN DISTINCT key, file.name AS name, file[$last] AS lines
ORDER BY key
