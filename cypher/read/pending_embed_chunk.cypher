// Chunks to embed, in key order
// params: corpus, after, limit
// returns embedRow: key string?, embed_fp string?, dimension int?, text string?
MATCH (n:Chunk) USING INDEX SEEK n:Chunk(todo_embed, key)
WHERE n.todo_embed = $corpus AND n.key > $after
RETURN n.key AS key, n.embed_fp AS embed_fp, size(n.embedding) AS dimension, n.text AS text
ORDER BY n.todo_embed, n.key LIMIT $limit
