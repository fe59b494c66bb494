// Creates or updates relations that no other author asserts; gives the others, so that their words can be compared.
// $rows      list of maps {start, end, relation, since, token, properties, created_at, replaces}: two keys, the type, when it begins or an empty text, how the start notes that it was taken away, what is asserted (null for what is unset), the moment used when it is new, whether it replaces what the author asserted before; distinct
// $author    string, who asserts them
// $change    string, the change that makes those that are new
// $unbarred  boolean, whether relations that a caller took away are let in again
// $holds     boolean, whether a row that would replace something of its author's by something else is held back
// -> start: string, end: string, relation: string, since: string, created: boolean, shared: boolean
// -> changed: boolean, held: boolean, stored: map or null
CYPHER 25
UNWIND $rows AS row
MATCH (start:Entity {key: row.start})
MATCH (end:Entity {key: row.end})
// include store/own_relation
WITH row, start, relation, relation.created_at IS NULL AS created, properties(relation) AS before
WITH row, start, relation, created, before, row.properties AS given,
  NOT created AND (before.graphmem_assertions IS NOT NULL
    OR coalesce(before.asserted_by, ['caller']) <> [$author]) AS shared
SET relation = CASE WHEN row.replaces AND NOT shared THEN {} ELSE before END
SET relation += CASE
    WHEN shared THEN {}
    ELSE given {.*,
      graphmem_since: row.since,
      graphmem_change: CASE WHEN created THEN $change ELSE before.graphmem_change END,
      asserted_by: [$author],
      created_at: coalesce(given.created_at, before.created_at, row.created_at)
    }
  END
FOREACH (token IN CASE WHEN $unbarred THEN [row.token] ELSE [] END |
  SET start.graphmem_unlinked = [barred IN start.graphmem_unlinked WHERE barred <> token])
WITH row, relation, created, shared, before,
  relation {.*, asserted_by: 0} <> before {.*, asserted_by: 0} AS changed
WITH row, relation, created, shared, before, changed,
  $holds AND row.replaces AND NOT created
    AND (changed OR (shared AND $author IN coalesce(before.asserted_by, []))) AS held
FOREACH (_ IN CASE WHEN held AND changed THEN [1] ELSE [] END |
  SET relation = before)
RETURN row.start AS start, row.end AS end, row.relation AS relation, row.since AS since, created, shared,
  changed, held, CASE WHEN shared OR (changed AND NOT created) THEN before END AS stored
ORDER BY start, end, relation, since
