// Locks the store's node until the transaction ends, makes it where there is none, and gives the store's version.
// $newest  integer, version of a store that holds no entity yet
// -> version: integer
CYPHER 25
MERGE (store:Graphmem {id: 'store'})
// Locked before it is read: another process may just be noting another version.
SET store.id = 'store'
WITH store, coalesce(
    store.schema_version,
    CASE WHEN EXISTS { (:Entity) } THEN 1 ELSE $newest END
  ) AS version
SET store.schema_version = version
RETURN version
