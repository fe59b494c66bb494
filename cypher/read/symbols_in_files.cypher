// Gives the symbols of source code that have one of some names, in some files or types.
// $places  list of maps {number, prefixes, names}: an integer, how keys of what is there begin, and the names that are looked for
// $limit   integer, the most symbols of a place
// -> number: integer, name: string
CYPHER 25
UNWIND $places AS place
CALL (place) {
  UNWIND place.prefixes AS prefix
  MATCH (symbol:Entity)
  WHERE symbol.key STARTS WITH prefix AND symbol.live = true
    AND any(name IN symbol.graphmem_names WHERE name IN place.names)
  WITH DISTINCT symbol
  RETURN symbol.name AS name, symbol.key AS key
  ORDER BY key
  LIMIT $limit
}
RETURN place.number AS number, name
ORDER BY number, key
