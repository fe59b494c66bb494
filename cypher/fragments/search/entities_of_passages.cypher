// Turns the raw scores of the legs into evidence, and passages into their entities; one row for each leg.
// <- passage: node, leg: string, raw: float; rows where that is null are left out
//   .weights  map {text, saturation, vector, vector_excess, cosine_low, cosine_high, …}, floats
//   .passages  integer, passages returned of a hit
// -> entity: node, leg: string, raw: float, evidence: float; both null where nothing holds that led to the entity
// -> passages: list of maps {passage, raw, evidence}, best first, of those that hold at the time that is asked for
// -> pieces: integer, passages that led to the entity, also such as do not hold, name: null
WITH passage, leg, max(raw) AS raw
WITH passage, leg, raw,
  CASE
    WHEN leg = 'text' THEN $search.weights.text * raw / (raw + $search.weights.saturation)
    WHEN raw <= $search.weights.cosine_low THEN 0.0
    // Of cosines above the upper bound the nearer one still gives more, so that they keep their order.
    WHEN raw >= $search.weights.cosine_high
      THEN $search.weights.vector + $search.weights.vector_excess * (raw - $search.weights.cosine_high)
    ELSE $search.weights.vector * (raw - $search.weights.cosine_low)
      / ($search.weights.cosine_high - $search.weights.cosine_low)
  END AS evidence
WHERE evidence > 0
MATCH (entity:Entity)-[:HAS_PASSAGE]->(passage)
WITH entity, passage, leg, raw, evidence,
  // include search/holds
  AND
  // include search/holds(entity = passage)
    AS holds
ORDER BY evidence DESC, raw DESC, passage.position
WITH entity, leg, count(*) AS pieces,
  collect(CASE WHEN holds THEN {passage: passage, raw: raw, evidence: evidence} END)[..$search.passages + 1] AS passages,
  max(CASE WHEN holds THEN raw END) AS best, max(CASE WHEN holds THEN evidence END) AS most
RETURN entity, leg, best AS raw, most AS evidence, passages, pieces, null AS name
