// Returns one row for each hit of the page, or one without a hit.
// <- hit: map or null, passages: list, total: integer, remaining: integer, moved: boolean, skipped_relations: integer
// <- truncated_legs: list, starved_legs: list, refilled_legs: list, embedding_set: integer
//   .max_links  integer, links returned of a hit that only links led to
LET entity = hit.entity
RETURN
  entity {
    key: hit.key, .name, .title, .kind, .project, .status, .tags, .valid_from, .valid_until,
    created_at: toString(entity.created_at), updated_at: toString(entity.updated_at),
    // Of code; properties that a store without code does not know.
    lines: [name IN ['start_line', 'end_line'] | entity[name]]
  } AS entity,
  hit.score AS score, hit.direct AS direct, hit.link AS link,
  [leg IN hit.legs | {leg: leg.leg, rank: leg.rank, raw: leg.raw, evidence: leg.evidence,
    excerpt: coalesce(leg.name, left(toStringOrNull(leg.passages[0].passage.text), 160), left(toStringOrNull(passages[0].text), 160), '')
  }] AS legs,
  [link IN hit.via[..CASE size(hit.legs) WHEN 0 THEN $search.max_links ELSE 1 END] | {
    seed: link.seed.name, seed_key: link.key, relation: type(link.link.relation), outgoing: link.link.outgoing,
    weight: link.link.weight, properties: [name IN keys(link.link.relation) WHERE name <> 'created_at' |
      [name, link.link.relation[name]]],
    evidence: link.evidence, seed_direct: link.seed_direct,
    seed_relations: link.seed_relations, neighbour_relations: link.neighbour_relations
  }] AS via,
  passages, total, remaining, moved, skipped_relations, truncated_legs, starved_legs, refilled_legs,
  hit.sort_value AS sort_value, hit.sort_name AS sort_name, hit.shares AS shares, hit.ceiling AS ceiling, embedding_set
ORDER BY sort_value, sort_name, entity.key
