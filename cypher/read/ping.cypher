// Says that the database answers.
// -> answered: boolean
CYPHER 25
RETURN true AS answered
ORDER BY answered
