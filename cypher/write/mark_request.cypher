// Marks a writer's node with the number of its write and says whether that write is committed already.
// $id      string, the writer's node, which one transaction has at a time
// $number  integer, of the write; every write with this node has another
// -> done: boolean
CYPHER 25
MERGE (request:GraphmemRequest {id: $id})
// Locked before it is read: an earlier try that still commits is waited for.
SET request.at = datetime()
WITH request, coalesce(request.number = $number, false) AS done
SET request.number = $number
RETURN done
