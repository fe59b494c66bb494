// Reads passages as good as chosen by chance: those with the smallest digests, of some projects with their embeddings and of the whole store, with texts unless the projects hold most of it.
// $projects  list of string, the projects that are searched
// $size      integer, the most passages of the projects, and of the store
// -> of_projects: boolean, digest: string or null, embedding: list of float or null, texts: map or null
CYPHER 25
CALL () {
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
  RETURN collect(passage) AS own
}
CALL () {
  MATCH (passage:Passage)
  WHERE passage.digest > ''
  WITH passage
  ORDER BY passage.digest
  LIMIT $size
  RETURN collect(passage) AS sampled
}
LET others = [passage IN sampled WHERE NOT passage.project IN $projects]
LET is_part = 2 * size(others) > size(sampled)
CALL (own, sampled) {
  UNWIND own AS passage
  RETURN true AS of_projects, true AS has_texts, passage, passage.embedding AS embedding
  UNION ALL
  UNWIND sampled AS passage
  RETURN false AS of_projects, NOT passage.project IN $projects AS has_texts, passage, null AS embedding
}
// What somebody deletes meanwhile has no properties any more; its row counts, though.
RETURN of_projects, passage.digest AS digest,
  // Somebody may have written another value by hand.
  CASE WHEN embedding IS :: LIST<FLOAT NOT NULL> THEN embedding END AS embedding, CASE
  WHEN is_part AND has_texts THEN {
    names: toStringOrNull(passage.names), text: toStringOrNull(passage.text), words: toStringOrNull(passage.words)
  }
END AS texts
ORDER BY of_projects, digest
