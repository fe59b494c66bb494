// Finds the same passages of the whole store again, as good as chosen by chance: those with the smallest digests.
CYPHER 25
CREATE INDEX graphmem_passage_store_sample IF NOT EXISTS
FOR (passage:Passage) ON (passage.digest)
