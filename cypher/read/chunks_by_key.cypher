// Chunks by their keys
// params: corpus, keys
UNWIND $keys AS key
MATCH (c:Chunk {key: key, corpus: $corpus})-[:PART_OF]->(d:Document)
RETURN c {.key, .text, .index, .n_tokens, .start, .end} AS chunk, d.key AS document
