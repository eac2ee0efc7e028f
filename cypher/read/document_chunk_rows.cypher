// Chunks of documents, in the order of the documents given, then of their text
// params: corpus, documents, limit
UNWIND range(0, size($documents) - 1) AS place
MATCH (d:Document {key: $documents[place], corpus: $corpus})
MATCH (c:Chunk)-[:PART_OF]->(d)
RETURN c {.key, .text, .index, .n_tokens, .start, .end} AS chunk, d {.key, .uri, .title, .date} AS document
ORDER BY place, c.index
LIMIT $limit
