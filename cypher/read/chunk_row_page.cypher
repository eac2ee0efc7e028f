// A page of chunks in key order, with their documents
//no scope: // params: corpus, after, end, limit
//in scope: // params: corpus, after, end, documents, chunks, limit
// returns: as read/chunk_rows
//no scope: MATCH (c:Chunk)
//in scope: MATCH (c:Chunk)-[:PART_OF]->(d:Document)
WHERE c.key > $after AND c.key < $end AND c.corpus = $corpus
//no scope: WITH c ORDER BY c.key LIMIT $limit
//no scope: MATCH (c)-[:PART_OF]->(d:Document)
//in scope:   AND d.key IN $documents AND ($chunks IS NULL OR c.key IN $chunks)
//in scope: WITH c, d ORDER BY c.key LIMIT $limit
RETURN c {.key, .text, .index, .n_tokens, .start, .end, .headings, .heading_starts} AS chunk, d {.key, .uri, .title, .date} AS document
ORDER BY c.key
