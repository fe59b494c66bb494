// Notes at their starts that a caller removed relations which an import asserts; the newest 1,000 are kept.
// $rows  list of maps {start, token}: the start's key, `TYPE key-of-the-end`, two spaces and when it begins if it does
// -> written: integer
CYPHER 25
UNWIND $rows AS row
MATCH (start:Entity {key: row.start})
SET start.graphmem_unlinked =
  ([barred IN coalesce(start.graphmem_unlinked, []) WHERE barred <> row.token] + row.token)[-1000..]
RETURN count(start) AS written
