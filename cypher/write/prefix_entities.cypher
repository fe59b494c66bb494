// Renames graphmem's own properties of entities to begin with `graphmem_`, and custom attributes that did so before.
// $keys  list of string, sorted, so that two writers lock in the same order
// -> key: string, attributes: integer (custom attributes that have another name now)
CYPHER 25
UNWIND $keys AS key
MATCH (entity:Entity {key: key})
// Locked before it is read: an older version may just be writing it.
SET entity.key = key
WITH key, entity, [name IN keys(entity) WHERE name STARTS WITH 'graphmem_'
  AND NOT name IN ['graphmem_filters', 'graphmem_handles', 'graphmem_names', 'graphmem_called', 'graphmem_identifier_parts',
    'graphmem_text', 'graphmem_assertions', 'graphmem_imported', 'graphmem_unlinked', 'graphmem_change', 'graphmem_revision']] AS custom
SET entity += {
    graphmem_filters: coalesce(entity.filters, entity.graphmem_filters),
    graphmem_handles: coalesce(entity.handles, entity.graphmem_handles),
    graphmem_names: coalesce(entity.names, entity.graphmem_names),
    graphmem_called: coalesce(entity.called, entity.graphmem_called),
    graphmem_identifier_parts: coalesce(entity.identifier_parts, entity.graphmem_identifier_parts),
    graphmem_text: coalesce(entity.text, entity.graphmem_text),
    graphmem_assertions: reduce(record = coalesce(entity.assertions, entity.graphmem_assertions), name IN custom |
      replace(record, '"attribute/' + name + '":', '"attribute/_' + name + '":')),
    graphmem_imported: coalesce(entity.imported, entity.graphmem_imported),
    graphmem_unlinked: coalesce(entity.unlinked, entity.graphmem_unlinked),
    filters: null,
    handles: null,
    names: null,
    called: null,
    identifier_parts: null,
    text: null,
    assertions: null,
    imported: null,
    unlinked: null
  }
FOREACH (name IN custom |
  SET entity['_' + name] = entity[name]
  SET entity[name] = null)
RETURN key, size(custom) AS attributes
ORDER BY key
