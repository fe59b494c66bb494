// Joins the evidence of a leg for an entity by its passages and by its whole text: the better one counts, once.
// <- entity: node, leg: string, raw: float, evidence: float, passages: list, pieces: integer, name: string
// -> gathered: list of maps {entity, key, leg, raw, evidence, passages, pieces, name}
WITH entity, leg, raw, evidence, passages, pieces, name
ORDER BY coalesce(evidence, -1.0) DESC
WITH entity, leg, sum(pieces) AS pieces,
  collect({raw: raw, evidence: evidence, passages: passages, name: name}) AS parts
RETURN collect({entity: entity, key: entity.key, leg: leg, raw: parts[0].raw, evidence: parts[0].evidence,
  passages: reduce(all = [], part IN parts | all + part.passages), pieces: pieces, name: parts[0].name}) AS gathered
