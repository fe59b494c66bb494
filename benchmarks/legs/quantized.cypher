// A second vector index over the passages; its type and factor are put in by quantization.py.
CYPHER 25
CREATE VECTOR INDEX graphmem_benchmark_embedding
FOR (passage:Passage) ON (passage.embedding)
WITH [passage.project, passage.live]
OPTIONS {
  indexConfig: {
    `vector.similarity_function`: 'cosine',
    `vector.quantization.type`: $type,
    `vector.default_search_expansion_factor`: $factor
  }
}
