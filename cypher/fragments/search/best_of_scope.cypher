// Gives the best entities of the scope, whether or not they pass the filters.
// <- entity: node, leg: string, evidence: float
//   .strict  boolean, whether only what the text leg gave counts
//   .seeds  integer, entities whose relations are followed; 0 for none
// -> of_scope: list of maps {entity, key, direct}, best first
WITH entity, leg, max(evidence) AS evidence
WHERE evidence IS NOT NULL
WITH entity, collect(leg) AS legs, collect(evidence) AS parts
WHERE NOT $search.strict OR 'text' IN legs
WITH entity, entity.key AS key, 1 - reduce(rest = 1.0, part IN parts | rest * (1 - part)) AS direct
ORDER BY direct DESC, key
LIMIT $search.seeds
RETURN collect({entity: entity, key: key, direct: direct}) AS of_scope
