// Gives passages that wait for the embedding model, with what is embedded of them.
// $limit       integer
// $characters  integer, the most characters of several passages together
// -> key: string, id: string, digest: string, name: string, title: string, lead_in: string, text: string
CYPHER 25
MATCH (passage:Passage)
WHERE passage.pending = true
WITH passage
LIMIT $limit
WITH collect(passage) AS waiting
WITH waiting, reduce(fits = {count: 0, characters: 0}, passage IN waiting | CASE
    WHEN fits.count = 0 OR fits.characters + coalesce(size(toStringOrNull(passage.text)), 0) <= $characters
      THEN {count: fits.count + 1, characters: fits.characters + coalesce(size(toStringOrNull(passage.text)), 0)}
    ELSE {count: fits.count, characters: $characters}
  END) AS fits
UNWIND waiting[..fits.count] AS passage
MATCH (entity:Entity)-[:HAS_PASSAGE]->(passage)
RETURN entity.key AS key, passage.id AS id, passage.digest AS digest, entity.name AS name,
  entity.title AS title, entity.lead_in AS lead_in, coalesce(toStringOrNull(passage.text), '') AS text
ORDER BY key, passage.position
