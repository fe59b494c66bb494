// Cuts the page out of the ranked hits that comes after the last hit of the page before.
// <- ranked: list of maps {key, sort_value, sort_name, …}
//   .after  list of maps {sort_value, sort_name, key, seen}: the last hit of the page before and how many came until then, or an empty list
//   .limit  integer, hits of a page
// -> total: integer, all hits, remaining: integer, hits of this page and those after it
// -> moved: boolean, whether the hits have changed since the page before, page: list of maps, the hits of the page
CALL (ranked) {
  WITH ranked, [last IN $search.after | [number IN range(0, size(ranked) - 1)
    WHERE ranked[number].key = last.key]] AS again
  WITH ranked, again,
    CASE
      WHEN size(again) = 0 THEN 0
      WHEN size(again[0]) > 0 THEN again[0][0] + 1
      ELSE size([hit IN ranked WHERE any(last IN $search.after WHERE hit.sort_value < last.sort_value
        OR hit.sort_value = last.sort_value AND (hit.sort_name < last.sort_name
          OR hit.sort_name = last.sort_name AND hit.key < last.key))])
    END AS start
  RETURN size(ranked) AS total, size(ranked) - start AS remaining,
    any(last IN $search.after WHERE size(again[0]) = 0
      OR start <> last.seen
      OR abs(ranked[again[0][0]].sort_value - last.sort_value) > .01 * abs(last.sort_value)) AS moved,
    ranked[start..start + $search.limit] AS page
}
