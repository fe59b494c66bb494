// Makes an index that holds nothing, to have others that change indexes of passages wait; drop it in the same transaction.
// $name  string, name of the index
CYPHER 25
CREATE FULLTEXT INDEX $name
FOR (passage:Passage) ON EACH [passage.graphmem_lock]
