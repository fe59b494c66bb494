// Gives which revisions a change made, of each entity the newest first, and how many characters they hold.
// $id  string
// -> key: string, revision: integer, characters: integer
CYPHER 25
MATCH (revision:GraphmemRevision {change: $id})
RETURN revision.key AS key, revision.revision AS revision, coalesce(size(revision.before), 0) AS characters
ORDER BY key, revision DESC
