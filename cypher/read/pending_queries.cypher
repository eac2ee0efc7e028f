// Chunks whose pairs are to be made, in key order, with those that they have
// params: corpus, after, limit
// returns QueryChunk: key string?, text string?, vector vector?, queries_fp string?, pairs_fp string?,
//   pairs []QAPair{key string?, text string? > Query, answer string?, index int?, kept bool?, similarity float?, pair_fp string? > FP}
MATCH (n:Chunk) USING INDEX SEEK n:Chunk(todo_queries, key)
WHERE n.todo_queries = $corpus AND n.key > $after
WITH n ORDER BY n.todo_queries, n.key LIMIT $limit
RETURN n.key AS key, n.text AS text, n.embedding AS vector, n.queries_fp AS queries_fp, n.pairs_fp AS pairs_fp,
  COLLECT { MATCH (n)-[:HAS_QUERY]->(q) RETURN q {.key, .text, .answer, .index, .kept, .similarity, pair_fp: CASE WHEN q.embedding IS NOT NULL THEN q.pair_fp END} ORDER BY q.index } AS pairs
