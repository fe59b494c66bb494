// Deletes nodes of writers that wrote nothing for long.
// $minutes  integer, since their last write
// $limit    integer, the most that are deleted
// -> deleted: integer
CYPHER 25
MATCH (request:GraphmemRequest)
WHERE request.at <= datetime() - duration({minutes: $minutes})
WITH request
LIMIT $limit
DELETE request
RETURN count(*) AS deleted
