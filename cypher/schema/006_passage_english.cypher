// Finds passages by English stems; the order of the properties tells it from the other languages.
CYPHER 25
CREATE FULLTEXT INDEX graphmem_passage_english IF NOT EXISTS
FOR (passage:Passage) ON EACH [passage.text, passage.names, passage.words, passage.filters]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'english'}}
