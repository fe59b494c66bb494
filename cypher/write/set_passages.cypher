// Changes passages, which are found by their element ids.
// $rows  list of maps {element, properties}: the passage's element id, the properties that change, null for one that goes
// -> written: integer
CYPHER 25
UNWIND $rows AS row
MATCH (passage:Passage)
WHERE elementId(passage) = row.element
SET passage += row.properties
RETURN count(passage) AS written
