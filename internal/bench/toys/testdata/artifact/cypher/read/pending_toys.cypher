// Chunks whose words are to be counted, in key order
// params: corpus, after, limit
// returns ToyChunk: key string, text string?, toys_fp string? > FP
MATCH (n:Chunk) USING INDEX SEEK n:Chunk(todo_toys, key)
WHERE n.todo_toys = $corpus AND n.key > $after
RETURN n.key AS key, n.text AS text, n.toys_fp AS toys_fp
ORDER BY n.todo_toys, n.key LIMIT $limit
