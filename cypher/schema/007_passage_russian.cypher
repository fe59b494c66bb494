// Finds passages by Russian stems; the order of the properties tells it from the other languages.
CYPHER 25
CREATE FULLTEXT INDEX graphmem_passage_russian IF NOT EXISTS
FOR (passage:Passage) ON EACH [
  passage.names,
  passage.text,
  passage.words,
  passage.filters,
  passage.name,
  passage.title,
  passage.alias,
  passage.tag,
  passage.kind,
  passage.category
]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'russian'}}
