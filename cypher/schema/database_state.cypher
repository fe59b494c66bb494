// Says whether a database is online, and what is wrong with it.
// $database  string, name of the database
// -> status: string, message: string
CYPHER 25
SHOW DATABASE $database
YIELD name, currentStatus, statusMessage
RETURN currentStatus AS status, statusMessage AS message
ORDER BY name
