// Finds the passages that wait for the embedding model.
CYPHER 25
CREATE INDEX graphmem_passage_pending IF NOT EXISTS
FOR (passage:Passage) ON (passage.pending)
