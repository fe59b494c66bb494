// Creates revisions of an export, and extends the duration of their changes.
// $rows    list of maps {key, project, revision, change, at, before}: before is what was there, as JSON
// $source  string, the import: of a change that the file does not tell
// -> written: integer
CYPHER 25
CALL () {
  UNWIND $rows AS row
  WITH row.change AS id, row.project AS project, min(row.at) AS first, max(row.at) AS last
  MERGE (change:GraphmemChange {id: id})
  ON CREATE SET change.project = project, change.at = first, change.verb = 'unknown',
    change.by = 'unknown', change.source = $source
  SET change.at = CASE
    WHEN change.verb = 'unknown' AND change.source = $source AND first < change.at THEN first
    ELSE change.at
  END, change.last_at = CASE
    WHEN coalesce(change.last_at, change.at) > last THEN coalesce(change.last_at, change.at)
    ELSE last
  END
  RETURN count(*) AS changes
}
UNWIND $rows AS row
CREATE (revision:GraphmemRevision {key: row.key, revision: row.revision, change: row.change,
  at: row.at, before: row.before})
RETURN count(revision) AS written
