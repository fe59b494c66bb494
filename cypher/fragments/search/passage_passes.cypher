// Tests the filter tokens on a passage; those of wide entities do not repeat all of them and pass.
// <- passage: node
//   .passage_required  list of lists of string, groups of filter tokens; a passage carries one of each group
//   .forbidden  list of string, filter tokens a passage must not carry
all(group IN $search.passage_required WHERE any(word IN group WHERE passage.filters CONTAINS word))
AND none(word IN $search.forbidden WHERE passage.filters CONTAINS word)
