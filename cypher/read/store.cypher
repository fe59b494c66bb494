// Gives what the store was made with.
// -> store: map
CYPHER 25
MATCH (store:Graphmem {id: 'store'})
RETURN properties(store) AS store
ORDER BY store.id
