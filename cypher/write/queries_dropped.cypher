// Remove what the stage queries wrote to a page of the chunks of a corpus, and their marks
// params: corpus, after, end, limit
// returns: as write/mark_all
MATCH (c:Chunk)
WHERE c.key > $after AND c.key < $end AND c.corpus = $corpus
WITH c ORDER BY c.key LIMIT $limit
WITH count(c) AS seen, max(c.key) AS last, [x IN collect(c) WHERE x.queries_fp IS NOT NULL OR x.todo_queries IS NOT NULL OR x.queries IS NOT NULL] AS made
FOREACH (c IN made | REMOVE c.queries_fp, c.pairs_fp, c.queries, c.embedding_d2q, c.embedding_d2q_kept, c.todo_queries, c.queries_error)
RETURN seen, last, size(made) AS marked
