// Gives a page of how many characters the revisions of a project's entities hold, by key and number.
// $first   string, the project's name with the `#` behind it
// $last    string, the first text behind all keys of the project
// $after   string, the key of the last revision of the page before, or an empty string
// $number  integer, the number of that revision, or 0
// $limit   integer
// -> key: string, revision: integer, characters: integer
CYPHER 25
MATCH (revision:GraphmemRevision)
WHERE revision.key >= $first AND revision.key < $last AND revision.key >= $after
  AND (revision.key > $after OR revision.revision > $number)
WITH revision
ORDER BY revision.key, revision.revision
LIMIT $limit
RETURN revision.key AS key, revision.revision AS revision, coalesce(size(revision.before), 0) AS characters
ORDER BY key, revision
