// Gives the entities to which keys redirect: those of former names and of merged entities.
// $keys  list of string
// -> key: string, target: string or null
CYPHER 25
UNWIND $keys AS key
MATCH (redirect:GraphmemRedirect {key: key})
RETURN key, redirect.target AS target
ORDER BY key
