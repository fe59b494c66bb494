// Notes that a migration is finished: the store's version, and a line for the record.
// $number  integer, the migration's
// $line    string, number, moment and title
// -> version: integer
CYPHER 25
MATCH (store:Graphmem {id: 'store'})
SET store.schema_version = $number, store.migrations = coalesce(store.migrations, []) + $line
RETURN store.schema_version AS version
