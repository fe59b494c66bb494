// Notes on relations that an import created between entities it brought which imported change created each.
// $rows    list of maps {start, end, relation, since, change}: the relation's identity; a change's id, or null
// $source  string, the import as entities note it
// $author  string, the import as its own changes name it
// -> written: integer
CYPHER 25
UNWIND $rows AS row
MATCH (start:Entity {key: row.start})
MATCH (end:Entity {key: row.end})
WHERE start.graphmem_source = $source AND end.graphmem_source = $source
// include store/relations_of_row
MATCH (change:GraphmemChange {id: relation.graphmem_change})
WHERE change.verb = 'import' AND change.author = $author
SET relation.graphmem_change = row.change
RETURN count(relation) AS written
