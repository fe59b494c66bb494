// Gives the entities whose names stand whole in the query; one within a longer one, but `add` in `add()` or `_add`, counts for nothing, one in a long query for less.
//   .name_queries  list of string, Lucene text for the name index, filters included, or an empty list
//   .grams  list of string, the runs of words of the query that may be names
//   .spellings  list of string, such names as the query writes them, in capital and small letters
//   .inner_names  map of float, those of them that are parts of a word without spaces, and what share of a word each is
//   .emphasis  map of float, from above 0 to 1, what names count that do not count in full
//   .pool  integer, candidates of a leg
//   .terms  integer, words asked for, at least 1
//   .weights  map {name, name_share, …}, floats
// -> entity: node, leg: string, raw: float, evidence: float, passages: list
// -> pieces: integer, nodes that the index gave, the same in every row, name: string
UNWIND $search.name_queries AS query
CALL db.index.fulltext.queryNodes('graphmem_entity_handles', query, {limit: $search.pool})
YIELD node
WITH collect(node) AS nodes
UNWIND nodes AS node
WITH size(nodes) AS pieces, node
WHERE
  // include search/holds(entity = node)
UNWIND [name IN node.graphmem_names WHERE name IN $search.grams] AS name
WITH pieces, collect({entity: node, name: name}) AS matches, collect(DISTINCT name) AS names
UNWIND matches AS mention
// A symbol of one word has parentheses that longer names of it lack.
WITH pieces, names, mention, replace(mention.name, ' ( )', '') AS word
WHERE none(other IN names WHERE NOT other IN [word, word + ' ( )', '_ ' + word, '_ ' + word + ' ( )']
  AND (' ' + other + ' ' CONTAINS ' ' + word + ' '
    OR $search.inner_names[mention.name] IS NOT NULL AND other CONTAINS mention.name))
// One name as different languages write it: `read_all`, `readAll`, `read-all`.
WITH pieces, replace(replace(replace(mention.name, ' ', ''), '_', ''), '-', '') AS letters, collect(mention) AS mentions,
  collect(DISTINCT mention.entity) AS bearers
// Those written as in the query share its evidence among themselves, the others with all that bear it.
LET alike = CASE size(bearers) WHEN 1 THEN [] ELSE [entity IN bearers
  WHERE any(own IN coalesce(entity.aliases, []) + [entity.name, entity.title] WHERE own IN $search.spellings)] END
UNWIND mentions AS mention
WITH pieces, mention.entity AS entity, mention.name AS name,
  1.0 / size(CASE WHEN mention.entity IN alike THEN alike ELSE bearers END) AS raw
ORDER BY raw DESC, size(name) DESC, name
WITH pieces, entity, collect({name: name, raw: raw})[0] AS best
WHERE $search.weights.name > 0
LET words = coalesce($search.inner_names[best.name], size(split(replace(best.name, ' ( )', ''), ' ')))
LET share = $search.weights.name_share * words / $search.terms
RETURN entity, 'name' AS leg, best.raw AS raw,
  $search.weights.name * sqrt(best.raw) * coalesce($search.emphasis[best.name], 1.0)
    * CASE WHEN share < 1 THEN share ELSE 1.0 END AS evidence,
  [] AS passages, pieces, best.name AS name
