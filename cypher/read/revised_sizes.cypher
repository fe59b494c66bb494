// Gives how many revisions changes made after a moment, and how much they hold.
// $changes  list of string, ids
// $moment   datetime
// $limit    integer, the most revisions that are looked at
// -> revisions: integer, characters: integer
CYPHER 25
UNWIND $changes AS id
MATCH (revision:GraphmemRevision {change: id})
WHERE revision.at > $moment
WITH revision
LIMIT $limit
RETURN count(*) AS revisions, coalesce(sum(size(revision.before)), 0) AS characters
