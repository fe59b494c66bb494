// Finds passages by English stems; the order of the properties tells it from the other languages.
CYPHER 25
CREATE FULLTEXT INDEX graphmem_passage_english IF NOT EXISTS
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
OPTIONS {indexConfig: {`fulltext.analyzer`: 'english'}}
