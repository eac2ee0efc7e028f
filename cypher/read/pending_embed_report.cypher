// Reports to embed, in key order
// params: corpus, after, limit
// returns: as read/pending_embed_chunk
MATCH (n:Report) USING INDEX SEEK n:Report(todo_embed, key)
WHERE n.todo_embed = $corpus AND n.key > $after
RETURN n.key AS key, n.embed_fp AS embed_fp, size(n.embedding) AS dimension, n.full_content AS text
ORDER BY n.todo_embed, n.key LIMIT $limit
