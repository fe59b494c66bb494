// Finds passages by meaning, filtered before the cut; unquantized, where recall was seen to be 1.
CYPHER 25
CREATE VECTOR INDEX graphmem_passage_embedding IF NOT EXISTS
FOR (passage:Passage) ON (passage.embedding)
WITH [passage.project, passage.live, passage.kind, passage.status, passage.category]
OPTIONS {
  indexConfig: {
    `vector.similarity_function`: 'cosine',
    `vector.quantization.type`: 'none',
    `vector.default_search_expansion_factor`: 2.0
  }
}
