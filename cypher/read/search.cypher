// Finds entities by words, meaning and name, follows their relations one hop, and ranks both.
// $search  map of all that follows: one parameter, since the server plans anew for every size of a list
//   .vector          list of float, the query's embedding, or null for no vector leg
//   .strict          boolean, whether only what the text leg found is a hit, and the vector leg orders it
//   .ordered         integer, passages of a strict search that are compared with the vector
//   .tested          list of string, legs (text, vector) that first ask their index without all filters and test what it gives; a leg left with too little asks with them
//   .open_texts      list of maps as `texts`, Lucene text without filters, where `tested` names the text leg
//   .open_pool       integer, candidates a text index asked so gives before they are tested
//   .open_vector_pool  integer, likewise of the vector index, which filters by project alone
//   .scoped_vector   list of integer, of one element where the vector index filters by project and life
//   .vector_filters  list of maps {kind_from, kind_to, status_from, status_to}, ranges that are searched one by one
//   .projects        list of string, the projects that are searched
//   .live            list of boolean, whether dead passages are searched as well
//   .texts           list of maps {index, query}, Lucene text for each text index asked
//   .names           list of string, Lucene text for the name index, or an empty list
//   .grams           list of string, the runs of words of the query that may be names
//   .exact           list of string, Lucene text of the filters where few passages may pass them, or an empty list
//   .exact_wide      list of string, likewise for wide entities, whose passages do not repeat all filter words, or an empty list
//   .brute           list of string, projects whose entities are all tested against the filters, or an empty list
//   .exact_limit     integer, the most passages of `exact` and `brute` that are compared one by one with the vector
//   .required        list of lists of string, groups of filter words; an entity carries one of each group
//   .passage_required  list of lists of string, as `required`, of what a passage repeats of it; passages of wide entities pass
//   .forbidden       list of string, filter words an entity must not carry
//   .wide_required   list of lists of string, those groups of `required` that passages of wide entities do not repeat
//   .wide_forbidden  list of string, likewise of `forbidden`
//   .tests           list of maps {name, operator, values}: a property compared by <, <=, >, >=, = or != with any of the values, or within any of them, maps {first, last}
//   .related         list of maps {types, direction, wanted}: whether a relation of a type (any for an empty list) and direction (out, in, both) to a living entity must be or must not be there
//   .wholes          list of string, Lucene text for the entities of several passages, filters included
//   .stems           list of string, folded beginnings of words: passages with most of them stand for an entity no passage led to
//   .pool            integer, candidates a leg
//   .vector_pool     integer, candidates of the vector leg before `required` is applied
//   .weights         map {text, saturation, vector, cosine_low, cosine_high, name, link, damping}, floats
//   .rrf             float, k of reciprocal rank fusion, or null for evidence
//   .seeds           integer, entities whose relations are followed; 0 for none
//   .scan            integer, relations read of one seed
//   .fanout          integer, relations followed of one seed
//   .types           list of string, relation types that are followed, or an empty list for all
//   .exclude_types     list of string, relation types that are not followed
//   .direction       string, out, in or both, as seen from the seed
//   .min_score       float, hits below it are dropped
//   .sort            string, score, date (newest first) or name
//   .after           list of maps {place, name, key, seen}: the last hit of the page before and how many came until then, or an empty list
//   .limit           integer, hits returned
//   .thin            integer, a leg with fewer entities left by the filters is reported as thin
//   .passages        integer, passages returned a hit
//   .vias            integer, links returned of a hit that only links led to
//   .reserved        list of string, properties of a relation that are no attributes of its own
// -> entity: map, score: float, direct: float, link: float, legs: list of map, via: list of map
// -> passages: list of map, total: integer, cut: integer, found: integer, place: float, place_name: string
// -> full: list of string, thin: list of string, short: list of string (legs of `tested` that asked again), moved: boolean, left: integer
// -> shares: list of float, ceiling: float
CYPHER 25
CALL () {
  CALL () {
    UNWIND CASE WHEN 'vector' IN $search.tested THEN $search.scoped_vector ELSE [] END AS place
    MATCH (passage:Passage)
    SEARCH passage IN (
      VECTOR INDEX graphmem_passage_embedding
      FOR $search.vector
      WHERE passage.project IN $search.projects
      LIMIT $search.open_vector_pool
    ) SCORE AS similarity
    RETURN passage, 'vector' AS leg, place, 2 * similarity - 1 AS raw
    UNION ALL
    UNWIND range(0, size($search.open_texts) - 1) AS place
    WITH place, $search.open_texts[place] AS wanted
    CALL db.index.fulltext.queryNodes(wanted.index, wanted.query, {limit: $search.open_pool})
    YIELD node, score
    RETURN node AS passage, 'text' AS leg, place, score AS raw
  }
  WITH passage, leg, place, raw
  ORDER BY raw DESC, elementId(passage)
  WITH leg, place, count(*) AS given,
    collect(CASE
      WHEN passage.project IN $search.projects AND passage.live IN $search.live
        THEN {passage: passage, raw: raw}
    END) AS passing
  RETURN collect({
    leg: leg,
    passing: passing[..$search.pool],
    short: given >= CASE leg WHEN 'text' THEN $search.open_pool ELSE $search.open_vector_pool END
      AND size(passing) < $search.pool
  }) AS open
}
WITH open, [leg IN $search.tested WHERE any(one IN open WHERE one.leg = leg AND one.short)] AS short
WITH open, short, [leg IN ['text', 'vector'] WHERE leg IN short OR NOT leg IN $search.tested] AS filtered
CALL () {
  CALL () {
    UNWIND $search.exact AS filter
    CALL db.index.fulltext.queryNodes('graphmem_passage_exact', filter, {limit: $search.exact_limit + 1})
    YIELD node
    RETURN node AS passage
    UNION ALL
    UNWIND $search.exact_wide AS filter
    CALL db.index.fulltext.queryNodes('graphmem_entity_handles', filter)
    YIELD node
    MATCH (node)-[:HAS_PASSAGE]->(passage)
    RETURN passage
    LIMIT $search.exact_limit + 1
    UNION ALL
    UNWIND $search.brute AS project
    MATCH (entity:Entity {project: project})
    WHERE all(group IN $search.required WHERE any(word IN group WHERE entity.filters CONTAINS word))
      AND none(word IN $search.forbidden WHERE entity.filters CONTAINS word)
      AND all(test IN $search.tests WHERE any(value IN test.values WHERE CASE test.operator
          WHEN '<' THEN entity[test.name] < value
          WHEN '<=' THEN entity[test.name] <= value
          WHEN '>' THEN entity[test.name] > value
          WHEN '>=' THEN entity[test.name] >= value
          WHEN '=' THEN entity[test.name] = value
          WHEN 'within' THEN value.first <= entity[test.name] <= value.last
          WHEN '!=' THEN coalesce(entity[test.name] <> value, true)
        END))
      AND all(rule IN $search.related WHERE rule.wanted = EXISTS {
        MATCH (entity)-[link:!HAS_PASSAGE]-(:Entity {live: true})
        WHERE (size(rule.types) = 0 OR type(link) IN rule.types)
          AND (rule.direction <> 'out' OR startNode(link) = entity)
          AND (rule.direction <> 'in' OR endNode(link) = entity)
      })
    MATCH (entity)-[:HAS_PASSAGE]->(passage)
    RETURN passage
    LIMIT $search.exact_limit + 1
  }
  WITH collect(passage) AS members
  WITH members, size(members) > $search.exact_limit AS too_many
  UNWIND CASE WHEN too_many OR size(members) = 0 THEN [null] ELSE members END AS passage
  WITH too_many, passage, CASE
      WHEN passage.embedding IS NOT NULL AND $search.vector IS NOT NULL
        THEN 2 * vector.similarity.cosine(passage.embedding, $search.vector) - 1
    END AS raw
  ORDER BY raw DESC, elementId(passage)
  WITH too_many, collect(CASE WHEN raw IS NOT NULL THEN {passage: passage, raw: raw} END) AS near
  RETURN too_many, near[..$search.pool] AS near
}
CALL (open, filtered, near) {
  CALL (open, filtered, near) {
    CALL (open, filtered, near) {
      UNWIND [one IN open WHERE NOT one.leg IN filtered] AS one
      UNWIND one.passing AS hit
      RETURN hit.passage AS passage, one.leg AS leg, hit.raw AS raw
      UNION ALL
      UNWIND CASE WHEN 'vector' IN filtered THEN $search.scoped_vector ELSE [] END AS wanted
      MATCH (passage:Passage)
      SEARCH passage IN (
        VECTOR INDEX graphmem_passage_embedding
        FOR $search.vector
        WHERE passage.project IN $search.projects
          AND passage.live IN $search.live
        LIMIT $search.vector_pool
      ) SCORE AS similarity
      WHERE all(group IN $search.passage_required WHERE any(word IN group WHERE passage.filters CONTAINS word))
        AND none(word IN $search.forbidden WHERE passage.filters CONTAINS word)
      RETURN passage, 'vector' AS leg, 2 * similarity - 1 AS raw
      UNION ALL
      UNWIND $search.vector_filters AS wanted
      MATCH (passage:Passage)
      SEARCH passage IN (
        VECTOR INDEX graphmem_passage_embedding
        FOR $search.vector
        WHERE passage.project IN $search.projects
          AND passage.live IN $search.live
          AND passage.kind >= wanted.kind_from
          AND passage.kind <= wanted.kind_to
          AND passage.status >= wanted.status_from
          AND passage.status <= wanted.status_to
        LIMIT $search.vector_pool
      ) SCORE AS similarity
      WHERE all(group IN $search.passage_required WHERE any(word IN group WHERE passage.filters CONTAINS word))
        AND none(word IN $search.forbidden WHERE passage.filters CONTAINS word)
      RETURN passage, 'vector' AS leg, 2 * similarity - 1 AS raw
      UNION ALL
      UNWIND near AS one
      RETURN one.passage AS passage, 'vector' AS leg, one.raw AS raw
      UNION ALL
      UNWIND CASE WHEN $search.strict THEN $search.texts ELSE [] END AS wanted
      CALL (wanted) {
        CALL db.index.fulltext.queryNodes(wanted.index, wanted.query, {limit: $search.pool})
        YIELD node, score
        RETURN collect({passage: node, score: score}) AS given
      }
      UNWIND range(0, size(given) - 1) AS place
      WITH given[place].passage AS passage, given[place].score AS score,
        place < $search.ordered AND $search.vector IS NOT NULL AS compared
      UNWIND CASE WHEN compared THEN ['text', 'vector'] ELSE ['text'] END AS leg
      WITH passage, score, leg
      WHERE leg = 'text' OR passage.embedding IS NOT NULL
      RETURN passage, leg, CASE leg
          WHEN 'text' THEN score
          ELSE 2 * vector.similarity.cosine(passage.embedding, $search.vector) - 1
        END AS raw
      UNION ALL
      UNWIND CASE WHEN $search.strict AND $search.vector IS NOT NULL THEN $search.wholes ELSE [] END
        AS wanted
      CALL db.index.fulltext.queryNodes('graphmem_entity_text', wanted, {limit: $search.ordered})
      YIELD node
      MATCH (node)-[:HAS_PASSAGE]->(passage)
      WHERE passage.embedding IS NOT NULL AND passage.position < $search.ordered
      RETURN passage, 'vector' AS leg,
        2 * vector.similarity.cosine(passage.embedding, $search.vector) - 1 AS raw
      UNION ALL
      UNWIND CASE WHEN 'text' IN filtered AND NOT $search.strict THEN $search.texts ELSE [] END
        AS wanted
      CALL db.index.fulltext.queryNodes(wanted.index, wanted.query, {limit: $search.pool})
      YIELD node, score
      RETURN node AS passage, 'text' AS leg, score AS raw
    }
    WITH passage, leg, max(raw) AS raw
    WITH passage, leg, raw,
      CASE leg
        WHEN 'text' THEN $search.weights.text * raw / (raw + $search.weights.saturation)
        WHEN raw <= $search.weights.cosine_low THEN 0.0
        ELSE $search.weights.vector * CASE
          WHEN raw >= $search.weights.cosine_high THEN 1.0
          ELSE (raw - $search.weights.cosine_low) / ($search.weights.cosine_high - $search.weights.cosine_low)
        END
      END AS evidence
    WHERE evidence > 0
    MATCH (entity:Entity)-[:HAS_PASSAGE]->(passage)
    ORDER BY evidence DESC, raw DESC, passage.position
    WITH entity, leg, count(*) AS pieces,
      collect({passage: passage, raw: raw, evidence: evidence})[..$search.passages + 1] AS found,
      max(raw) AS best, max(evidence) AS most
    RETURN entity, leg, best AS raw, most AS evidence, found, pieces, null AS name
    UNION ALL
    UNWIND $search.wholes AS wanted
    CALL db.index.fulltext.queryNodes('graphmem_entity_text', wanted, {limit: $search.pool})
    YIELD node, score
    WITH node, score
    WHERE score > 0
    RETURN node AS entity, 'text' AS leg, score AS raw,
      $search.weights.text * score / (score + $search.weights.saturation) AS evidence,
      [] AS found, 1 AS pieces, null AS name
    UNION ALL
    UNWIND $search.names AS wanted
    CALL db.index.fulltext.queryNodes('graphmem_entity_handles', wanted, {limit: $search.pool})
    YIELD node
    UNWIND [name IN node.names WHERE name IN $search.grams] AS name
    WITH collect({entity: node, name: name}) AS named, collect(DISTINCT name) AS names
    UNWIND named AS one
    WITH names, one
    WHERE none(other IN names WHERE other <> one.name
      AND ' ' + other + ' ' CONTAINS ' ' + one.name + ' ')
    WITH one.name AS name, collect(DISTINCT one.entity) AS bearers
    UNWIND bearers AS entity
    WITH entity, name, 1.0 / size(bearers) AS raw
    ORDER BY raw DESC, size(name) DESC, name
    WITH entity, collect({name: name, raw: raw})[0] AS best
    WHERE $search.weights.name > 0
    RETURN entity, 'name' AS leg, best.raw AS raw, $search.weights.name * best.raw AS evidence,
      [] AS found, 0 AS pieces, best.name AS name
  }
  RETURN collect({entity: entity, key: entity.key, leg: leg, raw: raw, evidence: evidence, found: found,
      pieces: pieces, name: name}) AS everything
}
WITH everything, size(everything) AS found, short,
  [leg IN ['text', 'vector'] WHERE leg = 'vector' AND too_many
    OR reduce(sum = 0, one IN everything | sum + CASE one.leg WHEN leg THEN one.pieces ELSE 0 END)
      >= CASE WHEN leg = 'vector' AND $search.vector_pool < $search.pool THEN $search.vector_pool
        ELSE $search.pool END] AS full
CALL (everything) {
  UNWIND everything AS one
  WITH one, one.entity AS entity
  WHERE all(group IN $search.wide_required WHERE any(word IN group WHERE entity.filters CONTAINS word))
    AND none(word IN $search.wide_forbidden WHERE entity.filters CONTAINS word)
    AND all(test IN $search.tests WHERE any(value IN test.values WHERE CASE test.operator
        WHEN '<' THEN entity[test.name] < value
        WHEN '<=' THEN entity[test.name] <= value
        WHEN '>' THEN entity[test.name] > value
        WHEN '>=' THEN entity[test.name] >= value
        WHEN '=' THEN entity[test.name] = value
        WHEN 'within' THEN value.first <= entity[test.name] <= value.last
        WHEN '!=' THEN coalesce(entity[test.name] <> value, true)
      END))
    AND all(rule IN $search.related WHERE rule.wanted = EXISTS {
      MATCH (entity)-[link:!HAS_PASSAGE]-(:Entity {live: true})
      WHERE (size(rule.types) = 0 OR type(link) IN rule.types)
        AND (rule.direction <> 'out' OR startNode(link) = entity)
        AND (rule.direction <> 'in' OR endNode(link) = entity)
    })
  WITH one
  ORDER BY one.evidence DESC, one.raw DESC, one.key
  WITH one.leg AS leg, collect(one) AS ranked
  RETURN collect({leg: leg, ranked: ranked}) AS by_leg
}
WITH by_leg, found, full, short,
  [leg IN full WHERE none(one IN by_leg WHERE one.leg = leg AND size(one.ranked) >= $search.thin)]
    AS thin
CALL (by_leg) {
  UNWIND by_leg AS of_leg
  UNWIND range(0, size(of_leg.ranked) - 1) AS place
  WITH of_leg.leg AS leg, place + 1 AS rank, of_leg.ranked[place] AS one
  WITH one.entity AS entity, max(one.key) AS key,
    collect({leg: leg, rank: rank, raw: one.raw, evidence: one.evidence, found: one.found,
      name: one.name}) AS legs
  WHERE NOT $search.strict OR any(part IN legs WHERE part.leg = 'text')
  WITH entity, key, legs,
    CASE
      WHEN $search.rrf IS NULL THEN 1 - reduce(rest = 1.0, part IN legs | rest * (1 - part.evidence))
      ELSE reduce(sum = 0.0, part IN legs | sum + 1 / ($search.rrf + part.rank))
    END AS direct
  ORDER BY direct DESC, key
  RETURN collect({entity: entity, key: key, direct: direct, legs: legs}) AS candidates
}
CALL (candidates) {
  CALL (candidates) {
    UNWIND candidates AS candidate
    RETURN candidate.entity AS entity, candidate.key AS key, candidate.direct AS direct,
      candidate.legs AS legs, null AS reached, 0 AS cut
    UNION ALL
    UNWIND candidates[..$search.seeds] AS candidate
    WITH candidate.entity AS seed, candidate.key AS seed_key, candidate.direct AS seed_direct
    WITH seed, seed_key, seed_direct,
      COUNT { (seed)--() } - COUNT { (seed)-[:HAS_PASSAGE]->() } AS degree
    WHERE degree > 0
    CALL (seed, degree) {
      MATCH (seed)-[relation:!HAS_PASSAGE]-(neighbour:Entity)
      WHERE (size($search.types) = 0 OR type(relation) IN $search.types)
        AND NOT type(relation) IN $search.exclude_types
        AND ($search.direction = 'both'
          OR ($search.direction = 'out') = (startNode(relation) = seed))
      WITH seed, degree, relation, neighbour, neighbour.filters AS words
      LIMIT $search.scan
      WITH degree, relation, neighbour, startNode(relation) = seed AS outgoing,
        neighbour <> seed
        AND all(group IN $search.required WHERE any(word IN group WHERE words CONTAINS word))
        AND none(word IN $search.forbidden WHERE words CONTAINS word)
        AND all(test IN $search.tests WHERE any(value IN test.values WHERE CASE test.operator
            WHEN '<' THEN neighbour[test.name] < value
            WHEN '<=' THEN neighbour[test.name] <= value
            WHEN '>' THEN neighbour[test.name] > value
            WHEN '>=' THEN neighbour[test.name] >= value
            WHEN '=' THEN neighbour[test.name] = value
            WHEN 'within' THEN value.first <= neighbour[test.name] <= value.last
            WHEN '!=' THEN coalesce(neighbour[test.name] <> value, true)
          END))
        AND all(rule IN $search.related WHERE rule.wanted = EXISTS {
          MATCH (neighbour)-[link:!HAS_PASSAGE]-(:Entity {live: true})
          WHERE (size(rule.types) = 0 OR type(link) IN rule.types)
            AND (rule.direction <> 'out' OR startNode(link) = neighbour)
            AND (rule.direction <> 'in' OR endNode(link) = neighbour)
        }) AS passes
      WITH relation, neighbour, outgoing, passes, degree > $search.fanout AS many,
        coalesce(relation.weight, 1.0) AS weight
      ORDER BY weight DESC, CASE WHEN many THEN relation.created_at END DESC,
        CASE WHEN many THEN neighbour.key END, type(relation), outgoing DESC
      RETURN count(*) AS read,
        collect(CASE WHEN passes THEN {
          relation: relation, neighbour: neighbour, outgoing: outgoing, weight: weight
        } END) AS wanted
    }
    WITH seed, seed_key, seed_direct, degree, wanted[..$search.fanout] AS links,
      size(wanted[$search.fanout..]) + CASE
        WHEN read < $search.scan THEN 0
        WHEN size($search.types) + size($search.exclude_types) = 0 AND $search.direction = 'both'
          THEN degree - read
        ELSE COUNT {
          MATCH (seed)-[relation:!HAS_PASSAGE]-(:Entity)
          WHERE (size($search.types) = 0 OR type(relation) IN $search.types)
            AND NOT type(relation) IN $search.exclude_types
            AND ($search.direction = 'both'
              OR ($search.direction = 'out') = (startNode(relation) = seed))
          RETURN relation
          LIMIT 5 * $search.scan
        } - read
      END AS cut
    WITH seed, seed_key, seed_direct, degree, links, cut
    WHERE size(links) > 0 OR cut > 0
    UNWIND CASE cut WHEN 0 THEN [] ELSE [null] END + range(0, size(links) - 1) AS place
    WITH seed, seed_key, seed_direct, degree, links[place] AS link,
      CASE WHEN place IS NULL THEN cut ELSE 0 END AS cut
    RETURN link.neighbour AS entity, null AS key, 0.0 AS direct, [] AS legs,
      {
        seed: seed, key: seed_key, seed_direct: seed_direct, degree: degree, link: link,
        evidence: $search.weights.link * link.weight * seed_direct / degree ^ $search.weights.damping
      } AS reached, cut
  }
  WITH entity, key, direct, legs, reached, cut
  ORDER BY reached.evidence DESC, reached.key, type(reached.link.relation), reached.link.outgoing
  WITH entity, max(key) AS key, max(direct) AS direct, reduce(all = [], one IN collect(legs) | all + one) AS legs,
    collect(reached) AS via, sum(cut) AS cut
  WITH entity, key, direct, legs, via, cut,
    [place IN range(0, size(via) - 1)
      WHERE none(before IN via[..place] WHERE before.key = via[place].key) | via[place]] AS seeds
  WITH entity, key, direct, legs, via, cut,
    [seed IN seeds | seed.evidence] AS shares,
    $search.weights.link * reduce(most = 0.0, seed IN seeds |
      CASE WHEN seed.seed_direct > most THEN seed.seed_direct ELSE most END) AS ceiling
  WITH entity, key, direct, legs, via, cut, shares, ceiling,
    CASE size(shares)
      WHEN 1 THEN shares[0]
      ELSE 1 - reduce(rest = 1.0, share IN shares | rest * (1 - share))
    END AS together
  WITH entity, key, direct, legs, via, cut, shares, ceiling,
    CASE
      WHEN $search.rrf IS NOT NULL AND size(legs) > 0 THEN 0.0
      WHEN together > ceiling THEN ceiling
      ELSE together
    END AS link
  WITH entity, key, direct, legs, via, cut, shares, ceiling, link,
    1 - (1 - direct) * (1 - link) AS score
  WHERE entity IS NULL OR score >= $search.min_score
  WITH entity, direct, legs, via, cut, shares, ceiling, link, score,
    CASE $search.sort
      WHEN 'score' THEN -score
      WHEN 'date' THEN -toFloat(entity.created_at.epochMillis)
      ELSE 0.0
    END AS place,
    CASE $search.sort WHEN 'name' THEN toLower(entity.name) ELSE '' END AS name,
    coalesce(key, entity.key) AS key
  ORDER BY place, name, key
  RETURN sum(cut) AS cut,
    collect(CASE WHEN entity IS NOT NULL THEN {
      entity: entity, key: key, direct: direct, legs: legs, via: via, link: link, score: score, shares: shares,
      ceiling: ceiling, place: place, name: name
    } END) AS ranked
}
WITH full, thin, short, cut, ranked, found, size(ranked) AS total,
  [last IN $search.after | [place IN range(0, size(ranked) - 1)
    WHERE ranked[place].key = last.key]] AS again
WITH full, thin, short, cut, ranked, found, total, again,
  CASE
    WHEN size(again) = 0 THEN 0
    WHEN size(again[0]) > 0 THEN again[0][0] + 1
    ELSE size([hit IN ranked WHERE any(last IN $search.after WHERE hit.place < last.place
      OR hit.place = last.place AND (hit.name < last.name
        OR hit.name = last.name AND hit.key < last.key))])
  END AS start
WITH full, thin, short, cut, found, total, total - start AS left,
  any(last IN $search.after WHERE size(again[0]) = 0
    OR start <> last.seen
    OR abs(ranked[again[0][0]].place - last.place) > .01 * abs(last.place)) AS moved,
  ranked[start..start + $search.limit] AS page
UNWIND CASE WHEN size(page) = 0 THEN [null] ELSE page END AS hit
WITH full, thin, short, moved, left, hit, total, cut, found, hit.entity AS entity,
  reduce(all = [], leg IN hit.legs | all + leg.found) AS led,
  all(leg IN hit.legs WHERE leg.leg <> 'text' OR size(leg.found) = 0) AS whole
CALL (entity, led, whole) {
  CALL (entity, led, whole) {
    UNWIND led AS one
    RETURN one.passage AS passage, one.evidence AS evidence, 0 AS words
    UNION ALL
    WITH entity, led, whole
    WHERE size(led) = 0 OR $search.strict AND whole
    MATCH (entity)-[:HAS_PASSAGE]->(passage)
    WHERE passage.position < $search.ordered
    RETURN passage, 0.0 AS evidence,
      size([stem IN $search.stems WHERE toLower(passage.text) CONTAINS stem]) AS words
  }
  WITH passage, max(evidence) AS evidence, max(words) AS words
  ORDER BY words DESC, evidence DESC, passage.position
  LIMIT $search.passages
  RETURN collect(passage {.text, created_at: toString(passage.created_at), .source}) AS passages
}
RETURN
  entity {
    .key, .name, .title, .kind, .project, .status, .tags,
    created_at: toString(entity.created_at), updated_at: toString(entity.updated_at)
  } AS entity,
  hit.score AS score, hit.direct AS direct, hit.link AS link,
  [leg IN hit.legs | {leg: leg.leg, rank: leg.rank, raw: leg.raw, evidence: leg.evidence,
    found: coalesce(leg.name, left(leg.found[0].passage.text, 160), left(passages[0].text, 160), '')
  }] AS legs,
  [one IN hit.via[..CASE size(hit.legs) WHEN 0 THEN $search.vias ELSE 1 END] | {
    seed: one.seed.name, relation: type(one.link.relation), outgoing: one.link.outgoing,
    note: one.link.relation.note, confidence: one.link.relation.confidence, weight: one.link.weight,
    attributes: [name IN keys(one.link.relation) WHERE NOT name IN $search.reserved |
      [name, one.link.relation[name]]],
    evidence: one.evidence, degree: one.degree, seed_direct: one.seed_direct
  }] AS via,
  passages, total, cut, found, hit.place AS place, hit.name AS place_name, full, thin,
  short, moved, left, hit.shares AS shares, hit.ceiling AS ceiling
ORDER BY place, place_name, entity.key
