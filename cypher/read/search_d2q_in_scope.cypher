// The chunks of a scope that are nearest to a question together with their own questions
// params: corpus, after, end, vector, documents, chunks, limit
// returns: as read/search_terms
// for: Chunk d2q, Chunk d2q_kept
MATCH (c:__Kind__)-[:PART_OF]->(d:Document)
WHERE c.key > $after AND c.key < $end AND c.corpus = $corpus AND c.embedding___stage__ IS NOT NULL
  AND d.key IN $documents AND ($chunks IS NULL OR c.key IN $chunks)
WITH c, d, vector.similarity.cosine(c.embedding___stage__, $vector) AS score
ORDER BY score DESC, c.key LIMIT $limit
RETURN c.key AS key, c.key AS owner, d.key AS document, score
