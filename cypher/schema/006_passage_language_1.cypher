// Finds passages by the stems of one language; the order of the properties tells it from the others.
// $name      string, name of the index
// $analyzer  string, the language, as Neo4j names its analyzer
CYPHER 25
CREATE FULLTEXT INDEX $name
FOR (passage:Passage) ON EACH [
  passage.text,
  passage.names,
  passage.words,
  passage.filters,
  passage.name,
  passage.title,
  passage.alias,
  passage.tag,
  passage.kind,
  passage.category
]
OPTIONS {indexConfig: {`fulltext.analyzer`: $analyzer}}
