// Gives the passages that were compared one by one.
// <- nearest: list of maps {passage, raw}
// -> passage: node, leg: string, raw: float
UNWIND nearest AS candidate
RETURN candidate.passage AS passage, 'vector' AS leg, candidate.raw AS raw
