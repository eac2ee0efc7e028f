// Entities to embed, in key order
// params: corpus, after, limit
// returns embedRow: key string?, embed_fp string?, dimension int?, name string? > name, description string? > description
MATCH (n:Entity) USING INDEX SEEK n:Entity(todo_embed, key)
WHERE n.todo_embed = $corpus AND n.key > $after
RETURN n.key AS key, n.embed_fp AS embed_fp, size(n.embedding) AS dimension, n.name AS name, n.description AS description
ORDER BY n.todo_embed, n.key LIMIT $limit
