// Tests on an entity what a search without filters asks for: its project, and that it lives.
// <- entity: node
//   .projects  list of string, the projects that are searched
entity.project IN $search.projects
AND entity.live = true
