// A page of chunks in key order, with their documents
// params: corpus, after, end, limit
// returns: as read/chunk_rows
MATCH (c:Chunk)
WHERE c.key > $after AND c.key < $end AND c.corpus = $corpus
WITH c ORDER BY c.key LIMIT $limit
MATCH (c)-[:PART_OF]->(d:Document)
RETURN c {.key, .text, .index, .n_tokens, .start, .end} AS chunk, d {.key, .uri, .title, .date} AS document
ORDER BY c.key
