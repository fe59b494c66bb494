// Gives the imports of a project that came after the last one of a source that was finished; none before there is one.
// $project  string
// $author   string, the import of the source
// -> id: string
CYPHER 25
MATCH (finished:GraphmemChange)
WHERE finished.project = $project AND finished.at IS NOT NULL AND finished.finished = $author
WITH max(finished.at) AS last
MATCH (change:GraphmemChange)
WHERE change.project = $project AND change.at > last AND change.verb = 'import'
RETURN change.id AS id
ORDER BY id
