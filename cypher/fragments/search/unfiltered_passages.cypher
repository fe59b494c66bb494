// Gives the passages of the legs that needed no filters.
// <- unfiltered: list of maps {leg, candidates: list of maps {passage, raw}}
// -> passage: node, leg: string, raw: float
UNWIND unfiltered AS answer
UNWIND answer.candidates AS candidate
RETURN candidate.passage AS passage, answer.leg AS leg, candidate.raw AS raw
