// Finds or creates entities, locks each until the transaction ends, and tells what changed them since a moment.
// $keys    list of string, sorted, so that two writers lock in the same order
// $moment  datetime
// -> key: string, change: string or null (the one that made it), is_blank: boolean (whether nothing was there)
// -> revisions: integer (since the moment)
CYPHER 25
UNWIND $keys AS key
MERGE (entity:Entity {key: key})
SET entity.key = key
WITH entity
// Counted behind the lock: another writer may just have committed.
RETURN entity.key AS key, entity.graphmem_change AS change, entity.name IS NULL AS is_blank,
  COUNT {
    MATCH (revision:GraphmemRevision {key: entity.key})
    WHERE revision.at > $moment
  } AS revisions
ORDER BY key
