// Completely written documents with a chunk to extract, found by the chunks: for few marked chunks
// params: corpus, from, after, limit
// returns PendingDocument: key string?, n_tokens int?
MATCH (c:Chunk) USING INDEX SEEK c:Chunk(todo_extract, key)
WHERE c.todo_extract = $corpus AND c.key > $from
MATCH (c)-[:PART_OF]->(d:Document)
WHERE d.key > $after AND d.sha256 IS NOT NULL
WITH DISTINCT d
RETURN d.key AS key, d.n_tokens AS n_tokens
ORDER BY key LIMIT $limit
