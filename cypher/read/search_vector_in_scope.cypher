// The chunks of a scope with the nearest vectors
// params: corpus, after, end, vector, documents, chunks, limit
// returns: as read/search_terms
MATCH (c:Chunk)-[:PART_OF]->(d:Document)
WHERE c.key > $after AND c.key < $end AND c.corpus = $corpus AND c.embedding IS NOT NULL
  AND d.key IN $documents AND ($chunks IS NULL OR c.key IN $chunks)
WITH c, d, vector.similarity.cosine(c.embedding, $vector) AS score
ORDER BY score DESC, c.key LIMIT $limit
RETURN c.key AS key, c.key AS owner, d.key AS document, score
