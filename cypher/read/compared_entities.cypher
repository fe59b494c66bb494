// Gives entities with all that is stored of them and of their passages but the embeddings, to be compared with what would be written.
// $keys  list of string
// $property  string, the property of the embeddings that are searched
// $dimensions  integer, how many numbers an embedding has, or null if nothing was embedded yet
// -> key: string, stored: map, labels: list of string, passages: list of map
CYPHER 25
UNWIND $keys AS key
MATCH (entity:Entity {key: key})
CALL (entity) {
  MATCH (entity)-[link:HAS_PASSAGE]->(passage:Passage)
  WITH passage, elementId(link) AS link
  ORDER BY passage.position, elementId(passage), link
  RETURN collect({element: elementId(passage), link: link,
    // Somebody linked it once more: to this entity, or to another one.
    is_surplus: COUNT { (passage)<-[:HAS_PASSAGE]-() } > 1 AND EXISTS {
      MATCH (:Entity)-[other:HAS_PASSAGE]->(passage)
      WHERE elementId(other) < link
    },
    is_embedded: passage[$property] IS NOT NULL
      AND passage[$property] IS :: LIST<FLOAT NOT NULL> AND coalesce(size(passage[$property]) = $dimensions, true),
    properties: passage {.*, embedding: null, embedding_2: null}}) AS passages
}
RETURN key, properties(entity) AS stored, labels(entity) AS labels, passages
ORDER BY key
