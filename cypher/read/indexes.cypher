// Gives graphmem's own indexes as they are.
// -> name: string, type: string, state: string, percent: float, labels: list of string, properties: list of string, options: map, failure: string
CYPHER 25
SHOW INDEXES
YIELD name, type, state, populationPercent, labelsOrTypes, properties, options, failureMessage
WHERE name STARTS WITH 'graphmem_'
RETURN name, type, state, populationPercent AS percent, labelsOrTypes AS labels, properties, options, failureMessage AS failure
ORDER BY name
