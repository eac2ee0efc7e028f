// The chunks that are nearest to a question together with their own questions
//no scope: // params: corpus, vector, limit
//in scope: // params: corpus, after, end, vector, documents, chunks, limit
// returns: as read/search_terms
// for: Chunk d2q, Chunk d2q_kept
//no scope: CALL db.index.vector.queryNodes('__kind_____stage___vector_' + $corpus, $limit, $vector) YIELD node, score
//no scope: WITH node, score WHERE node.corpus = $corpus
//no scope: MATCH (node)-[:PART_OF]->(d)
//no scope: RETURN node.key AS key, node.key AS owner, d.key AS document, score
//in scope: MATCH (c:__Kind__)-[:PART_OF]->(d:Document)
//in scope: WHERE c.key > $after AND c.key < $end AND c.corpus = $corpus AND c.embedding___stage__ IS NOT NULL
//in scope:   AND d.key IN $documents AND ($chunks IS NULL OR c.key IN $chunks)
//in scope: WITH c, d, vector.similarity.cosine(c.embedding___stage__, $vector) AS score
//in scope: ORDER BY score DESC, c.key LIMIT $limit
//in scope: RETURN c.key AS key, c.key AS owner, d.key AS document, score
