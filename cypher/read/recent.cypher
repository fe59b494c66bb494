// Lists a page of the entities that pass filters, those that changed last first, with their first passages.
// $search  map of the fields that its parts declare, one parameter as in a search
//   .after  list of maps {changed, key}: the last entity of the page before, or an empty list
//   .limit  integer, entities of a page
// -> entity: map, changed: integer (microseconds since 1970), passages: list of map
// -> total: integer (all entities that pass), is_last: boolean (whether no page follows)
CYPHER 25
CALL () {
  // include search/listed
  RETURN count(entity) AS total
}
CALL () {
  CALL () {
    // include search/listed
    // Who edits by hand may write anything there, or nothing.
    WITH entity, entity.updated_at AS moment
    WITH entity, CASE
        WHEN moment IS :: ZONED DATETIME NOT NULL THEN moment.epochMillis * 1000 + moment.microsecond % 1000
        ELSE 0
      END AS changed
    WHERE all(last IN $search.after WHERE changed < last.changed
      OR changed = last.changed AND entity.key > last.key)
    RETURN entity, changed
  }
  WITH entity, changed
  ORDER BY changed DESC, entity.key
  LIMIT $search.limit + 1
  RETURN collect({entity: entity, changed: changed, legs: []}) AS listed
}
WITH total, listed[..$search.limit] AS page, size(listed) <= $search.limit AS is_last
UNWIND CASE WHEN size(page) = 0 THEN [null] ELSE page END AS hit
// include search/passages
LET entity = hit.entity
RETURN
  entity {
    .key, .name, .title, .kind, .project, .status, .tags, .valid_from, .valid_until,
    created_at: toString(entity.created_at), updated_at: toString(entity.updated_at),
    // Of code; properties that a store without code does not know.
    lines: [name IN ['start_line', 'end_line'] | entity[name]]
  } AS entity,
  hit.changed AS changed, passages, total, is_last
ORDER BY changed DESC, entity.key
