// Chunks of a document with the state of their extraction
// params: corpus, document
MATCH (d:Document {key: $document, corpus: $corpus})<-[:PART_OF]-(c)
RETURN c {.key, .text, .index, .n_tokens, .start, .end, .extract_fp, .extract_sum} AS chunk, d.key AS document, c.todo_extract IS NOT NULL AS pending
ORDER BY c.index
