// Gives the words that analyzers leave out of texts and queries.
// $analyzers  list of string, names of analyzers
// -> analyzer: string, stop_words: list of string
CYPHER 25
CALL db.index.fulltext.listAvailableAnalyzers()
YIELD analyzer, stopwords
WHERE analyzer IN $analyzers
RETURN analyzer, stopwords AS stop_words
ORDER BY analyzer
