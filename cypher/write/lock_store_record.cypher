// Locks the store's node until the transaction ends, makes it where there is none, and gives what it notes.
// -> store: map
CYPHER 25
MERGE (store:Graphmem {id: 'store'})
// Locked before it is read: another process may just be noting something else.
SET store.id = 'store'
WITH store
RETURN properties(store) AS store
