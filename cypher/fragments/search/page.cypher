// Cuts the page out of the ranked hits that comes after the last hit of the page before.
// <- ranked: list of maps {key, sort_value, sort_name, …}
//   .after  list of maps {sort_value, sort_name, key, seen}: the last hit of the page before and how many came until then, or an empty list
//   .shown  list of string, keys of hits that pages before had whose hits were ranked otherwise
//   .limit  integer, hits of a page
// -> total: integer, all hits, remaining: integer, hits of this page and those after it
// -> moved: boolean, whether the hits have changed since the page before, page: list of maps, the hits of the page
CALL (ranked) {
  WITH [hit IN ranked WHERE NOT hit.key IN $search.shown] AS unshown
  WITH unshown, [last IN $search.after | [number IN range(0, size(unshown) - 1)
    WHERE unshown[number].key = last.key]] AS again
  WITH unshown, again,
    CASE
      WHEN size(again) = 0 THEN 0
      WHEN size(again[0]) > 0 THEN again[0][0] + 1
      ELSE size([hit IN unshown WHERE any(last IN $search.after WHERE hit.sort_value < last.sort_value
        OR hit.sort_value = last.sort_value AND (hit.sort_name < last.sort_name
          OR hit.sort_name = last.sort_name AND hit.key < last.key))])
    END AS start
  RETURN size($search.shown) + size(unshown) AS total, size(unshown) - start AS remaining,
    any(last IN $search.after WHERE size(again[0]) = 0
      OR size($search.shown) + start <> last.seen
      OR abs(unshown[again[0][0]].sort_value - last.sort_value) > .01 * abs(last.sort_value)) AS moved,
    unshown[start..start + $search.limit] AS page
}
