// Gives the innermost symbol of source code at each of some lines, of the first file that has one.
// $places  list of maps {number, line, prefixes}: integers, and how keys of the file's symbols begin, the likeliest first
// $first   string, the attribute with the first line of a symbol; many stores have none
// $last    string, that with the last
// -> number: integer, name: string
CYPHER 25
UNWIND $places AS place
CALL (place) {
  UNWIND range(0, size(place.prefixes) - 1) AS rank
  WITH rank, place.prefixes[rank] AS prefix
  MATCH (symbol:Entity)
  WHERE symbol.key STARTS WITH prefix AND symbol.live = true
    AND symbol[$first] <= place.line AND symbol[$last] >= place.line
  RETURN symbol.name AS name
  ORDER BY rank, symbol[$first] DESC, symbol[$last], symbol.key
  LIMIT 1
}
RETURN place.number AS number, name
ORDER BY number
