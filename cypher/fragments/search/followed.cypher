// Tests whether a relation of a seed is followed.
// <- relation: relationship, seed: node
//   .types  list of string, relation types that are followed, or an empty list for all
//   .exclude_types  list of string, relation types that are not followed
//   .at  string, the day on which a relation holds, or an empty string for any
//   .direction  string, out, in or both, as seen from the seed
(size($search.types) = 0 OR type(relation) IN $search.types)
AND NOT type(relation) IN $search.exclude_types
AND ($search.direction = 'both'
  OR ($search.direction = 'out') = (startNode(relation) = seed))
AND ($search.at = ''
  OR (left(coalesce(relation.graphmem_since, ''), 10) <= $search.at
    AND left(coalesce(toStringOrNull(relation.valid_until), '9'), 10) >= $search.at))
