// Adds the evidence of links to the direct scores, and puts all hits in order.
// <- entity: node, key: string, direct: float, legs: list, reached: map or null, skipped: integer
//   .weights  map {link, …}, floats
//   .rrf  float, k of reciprocal rank fusion, or null for evidence
//   .live  list of boolean, whether living entities are hits, and whether hidden ones
//   .min_score  float, hits below it are dropped
//   .sort  string, score, date (newest first) or name
// -> skipped_relations: integer, relations that were not followed
// -> ranked: list of maps {entity, key, direct, legs, via, link, score, shares, ceiling, sort_value, sort_name}
WITH entity, key, direct, legs, reached, skipped
ORDER BY reached.evidence DESC, reached.key, type(reached.link.relation), reached.link.outgoing,
  reached.link.relation.graphmem_since
WITH entity, max(key) AS key, max(direct) AS direct, reduce(all = [], part IN collect(legs) | all + part) AS legs,
  collect(reached) AS via, sum(skipped) AS skipped
WITH entity, key, direct, legs, via, skipped,
  [number IN range(0, size(via) - 1)
    WHERE none(before IN via[..number] WHERE before.key = via[number].key) | via[number]] AS best_links
WITH entity, key, direct, legs, via, skipped,
  [best IN best_links | best.evidence] AS shares,
  $search.weights.link * reduce(most = 0.0, best IN best_links |
    CASE WHEN best.passed > most THEN best.passed ELSE most END) AS ceiling
WITH entity, key, direct, legs, via, skipped, shares, ceiling,
  CASE size(shares)
    WHEN 1 THEN shares[0]
    ELSE 1 - reduce(rest = 1.0, share IN shares | rest * (1 - share))
  END AS together
WITH entity, key, direct, legs, via, skipped, shares, ceiling,
  CASE
    WHEN $search.rrf IS NOT NULL AND size(legs) > 0 THEN 0.0
    WHEN together > ceiling THEN ceiling
    ELSE together
  END AS link
WITH entity, key, direct, legs, via, skipped, shares, ceiling, link,
  1 - (1 - direct) * (1 - link) AS score
// What was superseded leads to what replaced it, and is no hit.
WHERE entity IS NULL OR score >= $search.min_score AND (entity.live = true OR false IN $search.live)
WITH entity, direct, legs, via, skipped, shares, ceiling, link, score,
  CASE $search.sort
    WHEN 'score' THEN -score
    WHEN 'date' THEN CASE
      WHEN entity.created_at IS :: ZONED DATETIME NOT NULL
        THEN -toFloat(entity.created_at.epochMillis * 1000 + entity.created_at.microsecond % 1000)
      ELSE 0.0
    END
    ELSE 0.0
  END AS sort_value,
  CASE $search.sort WHEN 'name' THEN coalesce(toLower(toStringOrNull(entity.name)), '') ELSE '' END AS sort_name,
  coalesce(key, entity.key) AS key
ORDER BY sort_value, sort_name, key
RETURN sum(skipped) AS skipped_relations,
  collect(CASE WHEN entity IS NOT NULL THEN {
    entity: entity, key: key, direct: direct, legs: legs, via: via, link: link, score: score, shares: shares,
    ceiling: ceiling, sort_value: sort_value, sort_name: sort_name
  } END) AS ranked
