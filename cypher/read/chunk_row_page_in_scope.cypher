// A page of the chunks of a scope in key order, with their documents
// params: corpus, after, end, documents, chunks, limit
// returns: as read/chunk_rows
MATCH (c:Chunk)-[:PART_OF]->(d:Document)
WHERE c.key > $after AND c.key < $end AND c.corpus = $corpus
  AND d.key IN $documents AND ($chunks IS NULL OR c.key IN $chunks)
WITH c, d ORDER BY c.key LIMIT $limit
RETURN c {.key, .text, .index, .n_tokens, .start, .end} AS chunk, d {.key, .uri, .title, .date} AS document
ORDER BY c.key
