// Gives the keys that lead to entities.
// $targets  list of string, keys of entities
// -> key: string, target: string
CYPHER 25
MATCH (redirect:GraphmemRedirect)
WHERE redirect.target IN $targets
RETURN redirect.key AS key, redirect.target AS target
ORDER BY key
