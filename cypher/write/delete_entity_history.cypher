// Deletes revisions of entities that stay, and of those merged into them, up to a limit.
// $keys   list of string
// $limit  integer, the most that are deleted
// -> deleted: integer
CYPHER 25
CALL () {
  MATCH (revision:GraphmemRevision)
  WHERE revision.key IN $keys
  RETURN revision
  LIMIT $limit
  UNION
  MATCH (redirect:GraphmemRedirect)
  WHERE redirect.target IN $keys
  MATCH (revision:GraphmemRevision {key: redirect.key})
  RETURN revision
  LIMIT $limit
}
DELETE revision
RETURN count(*) AS deleted
