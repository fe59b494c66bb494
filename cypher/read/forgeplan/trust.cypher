// Gives what the living evidence linked to each entity says of itself.
// $keys         list of string, keys of entities
// $kinds        list of string, the folded kinds that are evidence
// $exclude_types  list of string, relation types that link no evidence
// $fields       list of string, names of properties, each of which may be absent
// -> key: string, evidence: string, values: list of the values of the fields in their order
CYPHER 25
UNWIND $keys AS key
MATCH (entity:Entity {key: key})-[relation:!HAS_PASSAGE]-(evidence:Entity)
WHERE evidence.live = true
  AND toLower(evidence.kind) IN $kinds
  AND NOT type(relation) IN $exclude_types
  AND evidence <> entity
WITH DISTINCT key, evidence
RETURN key, evidence.name AS evidence, [field IN $fields | evidence[field]] AS values
ORDER BY key, evidence
