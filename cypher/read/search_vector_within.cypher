// Chunks within some documents and that mention some types of entities, by the nearness of their vectors
// params: corpus, after, end, vector, documents, types, limit
MATCH (c:Chunk)-[:PART_OF]->(d:Document)
WHERE c.key > $after AND c.key < $end AND c.corpus = $corpus AND c.embedding IS NOT NULL
  AND ($documents IS NULL OR d.key IN $documents)
  AND ($types IS NULL OR EXISTS { MATCH (c)-[:MENTIONS]->(e:Entity) WHERE e.type IN $types })
WITH c, d, vector.similarity.cosine(c.embedding, $vector) AS score
ORDER BY score DESC, c.key LIMIT $limit
RETURN c.key AS key, c.key AS owner, d.key AS document, score
