// Deletes what is noted of entities that go for good: what they and those merged into them were, and the names that led to them.
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
