// Chunks of a document with the state of their extraction, in key order
// params: corpus, document, after, end, limit
// returns ChunkState: chunk {key string?, text string?, index int?, n_tokens int?, start int?, end int?, extract_fp string?, extract_sum string?}, document string?, pending bool
MATCH (d:Document {key: $document, corpus: $corpus})<-[:PART_OF]-(c)
WHERE c.key > $after AND c.key < $end
WITH d, c ORDER BY c.key LIMIT $limit
RETURN c {.key, .text, .index, .n_tokens, .start, .end, .extract_fp, .extract_sum} AS chunk, d.key AS document, c.todo_extract IS NOT NULL AS pending
