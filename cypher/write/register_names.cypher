// Makes the names that statements read known to the server: it throws a plan away when a name comes up that it lacked.
// -> names: integer
CYPHER 25
CALL () {
  UNWIND ['HAS_PASSAGE', 'SUPERSEDES'] AS type
  CALL db.createRelationshipType(type)
  RETURN count(type) AS types
}
UNWIND [
  'access_count', 'accessed', 'asserted_by', 'at', 'author', 'before', 'by', 'change', 'confidence', 'created_at', 'created_in',
  'decay_weight', 'derived', 'embedding_2', 'embedding_set', 'finished', 'graphmem_assertions', 'graphmem_brought',
  'graphmem_change', 'graphmem_history_from', 'graphmem_imported', 'graphmem_names', 'graphmem_purge', 'graphmem_revision',
  'graphmem_since', 'graphmem_source', 'graphmem_unlinked', 'last_at', 'lead_in', 'next_version', 'note', 'origin', 'position',
  'revision', 'source', 'undoes', 'updated_at', 'valid_from', 'valid_until', 'verb', 'weight'
] AS property
CALL db.createProperty(property)
WITH types, count(property) AS properties
RETURN types + properties AS names
ORDER BY names
