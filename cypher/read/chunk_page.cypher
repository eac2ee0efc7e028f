// A page of all chunks in key order
// params: corpus, after, end, limit
MATCH (c:Chunk)
WHERE c.key > $after AND c.key < $end AND c.corpus = $corpus
WITH c ORDER BY c.key LIMIT $limit
MATCH (c)-[:PART_OF]->(d:Document)
RETURN c {.key, .text, .index, .n_tokens, .start, .end} AS chunk, d.key AS document
ORDER BY c.key
