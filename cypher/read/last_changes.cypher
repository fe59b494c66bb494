// Gives when entities were changed last until a moment; one that was not changed until then is left out.
// $keys       list of string
// $moment     datetime
// $paths      list of string, how the paths begin that count as a change, as JSON writes them within an object
// $beginning  string, a regular expression of any other JSON that counts
// -> key: string, at: datetime
CYPHER 25
UNWIND $keys AS key
MATCH (revision:GraphmemRevision {key: key})
WHERE revision.at <= $moment
  AND (any(path IN $paths WHERE revision.before CONTAINS path) OR revision.before =~ $beginning)
RETURN key, max(revision.at) AS at
ORDER BY key
