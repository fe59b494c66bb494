// Creates entities again under other keys, with their passages; an entity that has such a key already stays as it is.
// $rows  list of maps {key, to, properties, first, others, first_dated, others_dated}: the key and the new one, the properties that name the project, those of the first passage, and those of the others, and likewise of passages that say when they hold
// -> written: integer
CYPHER 25
// A row that went along would be counted and held again at every step.
UNWIND range(0, size($rows) - 1) AS place
MATCH (entity:Entity {key: $rows[place].key})
MERGE (moved:Entity {key: $rows[place].to})
WITH place, entity, moved
WHERE moved.name IS NULL
SET moved = entity {.*, key: $rows[place].to}
SET moved += $rows[place].properties
SET moved:$(labels(entity))
WITH place, entity, moved
CALL (place, entity, moved) {
  MATCH (entity)-[:HAS_PASSAGE]->(passage:Passage)
  CREATE (moved)-[:HAS_PASSAGE]->(passage)
  SET passage += CASE
      WHEN passage.valid_from IS NULL AND passage.valid_until IS NULL
        THEN CASE passage.position WHEN 0 THEN $rows[place].first ELSE $rows[place].others END
      WHEN passage.position = 0 THEN $rows[place].first_dated
      ELSE $rows[place].others_dated
    END
}
RETURN count(moved) AS written
