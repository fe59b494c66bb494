// Changes relations, which are found by their element ids.
// $rows  list of maps {element, properties}: the relation's element id, the properties that change, null for one that goes
// -> written: integer
CYPHER 25
UNWIND $rows AS row
MATCH ()-[relation]->()
WHERE elementId(relation) = row.element
SET relation += row.properties
RETURN count(relation) AS written
