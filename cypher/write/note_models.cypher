// Notes what a store's embeddings were made with; the store's node is locked already.
// $properties  map, null for what is not noted any more
// -> store: map
CYPHER 25
MATCH (store:Graphmem {id: 'store'})
SET store += $properties
RETURN properties(store) AS store
