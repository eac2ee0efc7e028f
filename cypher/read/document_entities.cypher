// Entities that chunks of documents mention, and the cosine of the vector of each with the vector of a question if a model made them
// params: corpus, documents, chunks, vector
// returns DocumentEntity: document string?, entity {entity} > Entity, cosine float?
UNWIND $documents AS key
MATCH (d:Document {key: key, corpus: $corpus})<-[:PART_OF]-(c:Chunk)-[:MENTIONS]->(e:Entity) USING INDEX SEEK d:Document(key)
WHERE $chunks IS NULL OR c.key IN $chunks
WITH DISTINCT key, e
RETURN key AS document, e {.key, .name, .description} AS entity,
  CASE WHEN size($vector) > 0 AND e.embedding IS NOT NULL THEN 2 * vector.similarity.cosine(e.embedding, $vector) - 1 END AS cosine
