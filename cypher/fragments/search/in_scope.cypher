// Tests on an entity what a search without filters asks for: its project, and that it lives.
// <- entity: node
//   .required  list of lists of string, groups of filter words; an entity carries one of each group
all(group IN $search.required WHERE any(word IN group WHERE entity.filters CONTAINS word))
