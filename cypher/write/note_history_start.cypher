// Notes of a store from when on its history is whole; a later moment stays.
// $before  datetime
// -> before: datetime
CYPHER 25
MATCH (store:Graphmem {id: 'store'})
SET store.history_from = CASE
    WHEN store.history_from > $before THEN store.history_from
    ELSE $before
  END
RETURN store.history_from AS before
