// The number of chunks to extract, counted up to the limit
// params: corpus, after, limit
// returns: n int
MATCH (c:Chunk) USING INDEX SEEK c:Chunk(todo_extract, key)
WHERE c.todo_extract = $corpus AND c.key > $after
WITH c LIMIT $limit
RETURN count(c) AS n
