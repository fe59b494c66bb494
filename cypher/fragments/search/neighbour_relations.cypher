// Counts the relations that lead to a neighbour as the followed one does: of its type and direction.
// <- link: map {relation, neighbour, outgoing, …}, or null
//   .most_counted  integer, relations of one type and direction that are counted of an entity
// -> neighbour_relations: integer, 1 to that
CALL (link) {
  WITH link.neighbour AS neighbour, type(link.relation) AS type, link.outgoing AS outgoing
  RETURN CASE
    WHEN neighbour IS NULL THEN 1
    WHEN outgoing THEN COUNT {
      MATCH (neighbour)<-[same:$(type)]-()
      RETURN same
      LIMIT $search.most_counted
    }
    ELSE COUNT {
      MATCH (neighbour)-[same:$(type)]->()
      RETURN same
      LIMIT $search.most_counted
    }
  END AS neighbour_relations
}
