// Notes which projects are being renamed; the store's node is locked already.
// $moves  list of string, `OLD#NEW` each, or null for none
// -> store: map
CYPHER 25
MATCH (store:Graphmem {id: 'store'})
SET store.moves = $moves
RETURN properties(store) AS store
