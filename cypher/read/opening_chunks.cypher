// The first chunks of documents, by date and name
// params: limit, chunks
// returns: as read/chunk_rows
// scan: dates have no index; only the corpus' own documents are read
MATCH (d:Document___corpus__)
WITH d ORDER BY d.date, d.uri LIMIT $limit
MATCH (c:Chunk)-[:PART_OF]->(d)
WHERE c.index < $chunks
RETURN c {.key, .text, .index, .n_tokens, .start, .end} AS chunk, d {.key, .uri, .title, .date} AS document
ORDER BY d.date, d.uri, c.index
