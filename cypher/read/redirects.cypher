// Gives where keys lead that are not the key of an entity any more, or never were.
// $keys  list of string
// -> key: string, target: string or null
CYPHER 25
UNWIND $keys AS key
MATCH (redirect:GraphmemRedirect {key: key})
RETURN key, redirect.target AS target
ORDER BY key
