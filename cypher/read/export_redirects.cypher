// Gives a page of the keys that lead to entities of a project, in their order.
// $first  string, the project's name with the `#` behind it
// $last   string, the first text behind all keys of the project
// $after  string, the last key of the page before, or an empty string
// $limit  integer
// -> key: string, target: string, name: string or null (that of the entity where it is there)
CYPHER 25
MATCH (redirect:GraphmemRedirect)
WHERE redirect.key >= $first AND redirect.key < $last AND redirect.key > $after
WITH redirect
ORDER BY redirect.key
LIMIT $limit
OPTIONAL MATCH (entity:Entity {key: redirect.target})
RETURN redirect.key AS key, redirect.target AS target, entity.name AS name
ORDER BY key
