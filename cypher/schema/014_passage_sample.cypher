// Finds the same passages of a project again, as good as chosen by chance: those with the smallest digests.
CYPHER 25
CREATE INDEX graphmem_passage_sample IF NOT EXISTS
FOR (passage:Passage) ON (passage.project, passage.digest)
