// Sentences to embed, in key order
// params: corpus, after, limit
// returns: as read/pending_embed_chunk
MATCH (n:Sentence) USING INDEX SEEK n:Sentence(todo_embed, key)
WHERE n.todo_embed = $corpus AND n.key > $after
RETURN n.key AS key, n.embed_fp AS embed_fp, size(n.embedding) AS dimension, n.text AS text
ORDER BY n.todo_embed, n.key LIMIT $limit
