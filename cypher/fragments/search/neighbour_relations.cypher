// Counts the relations that lead to a neighbour as the followed one does: of its type and direction, and valid as it is.
// <- link: map {relation, neighbour, outgoing, …}, or null
//   .most_counted  integer, relations of one type and direction that are counted of an entity; five times as many are read
// -> neighbour_relations: integer, 1 to that
CALL (link) {
  WITH link.neighbour AS neighbour, type(link.relation) AS type, link.outgoing AS outgoing
  WITH CASE
    WHEN neighbour IS NULL THEN 1
    WHEN outgoing THEN COUNT {
      MATCH (neighbour)<-[same:$(type)]-()
      WITH same
      LIMIT 5 * $search.most_counted
      WITH same
      WHERE
        // include search/holds(entity = same)
      RETURN same
      LIMIT $search.most_counted
    }
    ELSE COUNT {
      MATCH (neighbour)-[same:$(type)]->()
      WITH same
      LIMIT 5 * $search.most_counted
      WITH same
      WHERE
        // include search/holds(entity = same)
      RETURN same
      LIMIT $search.most_counted
    }
  END AS counted
  // The followed one may lie beyond those that are read.
  RETURN CASE counted WHEN 0 THEN 1 ELSE counted END AS neighbour_relations
}
