// Gives the symbols of source code in some files that have one of some names.
// $prefixes  list of string, how the keys of the files' symbols begin
// $names     list of string, in the form in which names are found
// $limit     integer, the most symbols
// -> name: string
CYPHER 25
UNWIND $prefixes AS prefix
MATCH (symbol:Entity)
WHERE symbol.key STARTS WITH prefix AND symbol.live = true
  AND any(name IN symbol.graphmem_names WHERE name IN $names)
WITH DISTINCT symbol
RETURN symbol.name AS name
ORDER BY symbol.key
LIMIT $limit
