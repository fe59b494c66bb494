// Finds the changes of a project since a moment.
CYPHER 25
CREATE INDEX graphmem_change_project IF NOT EXISTS
FOR (change:GraphmemChange) ON (change.project, change.at)
