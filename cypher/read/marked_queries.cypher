// A page of the marked pairs of a corpus, with their vectors and neighbours
// params: corpus, after, limit
// returns: as read/query_vectors
MATCH (q:Query) USING INDEX SEEK q:Query(todo_link, key)
WHERE q.todo_link = $corpus AND q.key > $after
WITH q ORDER BY q.todo_link, q.key LIMIT $limit
RETURN q.key AS key, q.kept AS kept, CASE WHEN q.kept THEN q.embedding END AS vector, true AS marked,
  COLLECT { MATCH (q)-[r:SIMILAR_QUERY]->(p) RETURN {key: p.key, score: r.score} } AS neighbours
ORDER BY key
