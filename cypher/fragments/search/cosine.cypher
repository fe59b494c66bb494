// Gives the cosine of an embedding with that of the query; null where there is none, or none that fits, as one written by hand.
// <- embedding: any
//   .vector  list of float, the query's embedding, or null
(
  CASE
    WHEN embedding IS :: LIST<FLOAT NOT NULL> AND size(embedding) = size($search.vector)
      THEN 2 * vector.similarity.cosine(embedding, $search.vector) - 1
  END
)
