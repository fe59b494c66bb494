// Reads the embeddings of some passages, as good as chosen by chance and the same the next time: those with the smallest digests.
// $projects  list of string, the projects that are searched
// $size      integer, the most passages
// -> embedding: list of float
CYPHER 25
UNWIND $projects AS project
CALL (project) {
  MATCH (passage:Passage)
  WHERE passage.project = project AND passage.digest > ''
  RETURN passage
  ORDER BY passage.project, passage.digest
  LIMIT $size
}
WITH passage
ORDER BY passage.digest
LIMIT $size
WITH passage
WHERE passage.embedding IS NOT NULL
RETURN passage.embedding AS embedding
ORDER BY passage.digest
