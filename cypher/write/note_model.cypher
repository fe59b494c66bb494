// Notes the embedding model a store is made with, where none is noted yet, and gives what the store notes.
// $properties  map, the identity of the model
// -> store: map
CYPHER 25
MERGE (store:Graphmem {id: 'store'})
// Locked before it is read: of two that note a model at once, the second finds the first one's.
SET store.id = 'store'
WITH store, store.model_name IS NULL AS is_new
SET store += CASE WHEN is_new THEN $properties ELSE {} END
RETURN properties(store) AS store
