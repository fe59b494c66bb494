// Marks a writer's node with the number of its write, says whether that write is committed already, and gives the version that the store has or is being brought to.
// $id      string, the writer's node, which one transaction has at a time
// $number  integer, of the write; every write with this node has another
// -> done: boolean, version: integer or null
CYPHER 25
MERGE (request:GraphmemRequest {id: $id})
// Locked before it is read: an earlier try that still commits is waited for.
SET request.at = datetime()
WITH request, coalesce(request.number = $number, false) AS done
SET request.number = $number
WITH done
OPTIONAL MATCH (store:Graphmem {id: 'store'})
RETURN done,
  CASE
    WHEN store.next_version > store.schema_version THEN store.next_version
    ELSE store.schema_version
  END AS version
