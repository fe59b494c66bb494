// Finds passages by words as they stand, stop words included; also lists what a filter leaves.
CYPHER 25
CREATE FULLTEXT INDEX graphmem_passage_exact IF NOT EXISTS
FOR (passage:Passage) ON EACH [
  passage.words,
  passage.text,
  passage.names,
  passage.filters,
  passage.name,
  passage.title,
  passage.alias,
  passage.tag,
  passage.kind,
  passage.category
]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'standard-no-stop-words'}}
