// Notes something about the store in its node, which is locked already: the models, or which projects are renamed.
// $properties  map, null for what is not noted any more
// -> store: map
CYPHER 25
MATCH (store:Graphmem {id: 'store'})
SET store += $properties
RETURN properties(store) AS store
