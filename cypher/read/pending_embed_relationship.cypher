// Relationships to embed, in key order
// params: corpus, after, limit
// returns embedRow: key string?, embed_fp string?, dimension int?, keywords []string? > keywords, description string? > description, source string? > source, target string? > target
MATCH (n:Relationship) USING INDEX SEEK n:Relationship(todo_embed, key)
WHERE n.todo_embed = $corpus AND n.key > $after
WITH n ORDER BY n.todo_embed, n.key LIMIT $limit
RETURN n.key AS key, n.embed_fp AS embed_fp, size(n.embedding) AS dimension, n.keywords AS keywords, n.description AS description,
  head(COLLECT { MATCH (n)-[:SOURCE]->(s) RETURN s.name }) AS source, head(COLLECT { MATCH (n)-[:TARGET]->(t) RETURN t.name }) AS target
