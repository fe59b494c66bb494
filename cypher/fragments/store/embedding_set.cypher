// Gives the number of the set of embeddings that is searched.
// -> embedding_set: integer
CALL () {
  OPTIONAL MATCH (store:Graphmem {id: 'store'})
  RETURN coalesce(store.embedding_set, 0) AS embedding_set
}
