// Tests whether a relation of a seed is followed.
// <- relation: relationship, seed: node
//   .types  list of string, relation types that are followed, or an empty list for all
//   .exclude_types  list of string, relation types that are not followed
//   .direction  string, out, in or both, as seen from the seed
(size($search.types) = 0 OR type(relation) IN $search.types)
AND NOT type(relation) IN $search.exclude_types
AND
// include search/holds(entity = relation)
AND ($search.direction = 'both'
  OR ($search.direction = 'out') = (startNode(relation) = seed))
// What was superseded leads to what replaced it alone.
AND (seed.live = true OR type(relation) = 'SUPERSEDES' AND endNode(relation) = seed)
