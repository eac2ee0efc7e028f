// Chunks by key, with their documents
// params: corpus, keys
// returns ChunkRow: chunk {chunk}, document {document}
UNWIND $keys AS key
MATCH (c:Chunk {key: key, corpus: $corpus})-[:PART_OF]->(d:Document) USING INDEX SEEK c:Chunk(key)
RETURN c {.key, .text, .index, .n_tokens, .start, .end, .headings, .heading_starts} AS chunk, d {.key, .uri, .title, .date} AS document
