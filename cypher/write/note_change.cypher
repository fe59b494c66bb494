// Notes a change of a project, and the revisions of entities that it has changed.
// $id          string, the change
// $properties  map {project, at, verb, by, note, author, undoes}: of a change that is not noted yet
// $rows        list of maps {key, before}: an entity's key, and as JSON what was there before
// $at          datetime, the moment of the revisions
// -> written: integer
CYPHER 25
MERGE (change:GraphmemChange {id: $id})
ON CREATE SET change += $properties
// Transactions of a call may take the moment in one order and the lock in another.
ON MATCH SET change.last_at = CASE
  WHEN coalesce(change.last_at, change.at) > $at THEN coalesce(change.last_at, change.at)
  ELSE $at
END
WITH count(*) AS changes
UNWIND range(0, size($rows) - 1) AS place
OPTIONAL MATCH (entity:Entity {key: $rows[place].key})
// Locked before its number is read: another writer may just be noting a revision.
SET entity.key = $rows[place].key
WITH entity, place
CALL (entity, place) {
  OPTIONAL MATCH (earlier:GraphmemRevision {key: $rows[place].key})
  WHERE entity.graphmem_revision IS NULL
  RETURN coalesce(max(earlier.revision), 1) AS last
}
WITH entity, place, coalesce(entity.graphmem_revision, last) + 1 AS number
SET entity.graphmem_revision = number
CREATE (:GraphmemRevision {key: $rows[place].key, revision: number, change: $id, at: $at,
  before: $rows[place].before})
RETURN count(*) AS written
