// Notes what the store was made with, where nothing is noted yet, and gives what is noted.
// $properties  map, the schema version and the identity of the embedding model
// -> store: map
CYPHER 25
MERGE (store:Graphmem {id: 'store'})
ON CREATE SET store += $properties
RETURN properties(store) AS store
