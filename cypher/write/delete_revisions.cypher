// Deletes the redirects to entities that are deleted, their revisions, and those of entities merged into them.
// $keys  list of string
// -> deleted: integer
CYPHER 25
CALL () {
  MATCH (revision:GraphmemRevision)
  WHERE revision.key IN $keys
  RETURN revision AS noted
  UNION
  MATCH (redirect:GraphmemRedirect)
  WHERE redirect.target IN $keys
  MATCH (revision:GraphmemRevision {key: redirect.key})
  RETURN revision AS noted
  UNION
  MATCH (redirect:GraphmemRedirect)
  WHERE redirect.target IN $keys
  RETURN redirect AS noted
}
DELETE noted
RETURN count(*) AS deleted
