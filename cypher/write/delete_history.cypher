// Deletes revisions and changes of before a moment, some at a time.
// $before  datetime
// $limit   integer, the most that are deleted
// -> deleted: integer
CYPHER 25
CALL () {
  MATCH (noted:GraphmemRevision)
  WHERE noted.at < $before
  RETURN noted
  LIMIT $limit
  UNION ALL
  MATCH (noted:GraphmemChange)
  WHERE noted.at < $before AND NOT EXISTS { (:GraphmemRevision {change: noted.id}) }
  RETURN noted
  LIMIT $limit
}
DELETE noted
RETURN count(*) AS deleted
