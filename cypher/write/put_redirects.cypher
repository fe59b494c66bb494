// Redirects keys to entities, in the place of earlier redirects, or deletes their redirects.
// $rows  list of maps {key, target}: a key that is no entity's, and an entity's; null for one that leads nowhere any more
// -> written: integer
CYPHER 25
UNWIND $rows AS row
MERGE (redirect:GraphmemRedirect {key: row.key})
SET redirect.target = row.target
FOREACH (gone IN CASE WHEN row.target IS NULL THEN [redirect] ELSE [] END | DELETE gone)
RETURN count(*) AS written
