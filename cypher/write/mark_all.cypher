// Mark a page of the nodes of a kind for a stage
// params: corpus, after, end, limit
// returns: seen int64, last string?, marked int64
// for: as schema/todo
MATCH (n:__Kind__)
WHERE n.key > $after AND n.key < $end AND n.corpus = $corpus
WITH n ORDER BY n.key LIMIT $limit
WITH count(n) AS seen, max(n.key) AS last, [x IN collect(n) WHERE x.todo___stage__ IS NULL] AS unmarked
FOREACH (n IN unmarked | SET n.todo___stage__ = $corpus)
RETURN seen, last, size(unmarked) AS marked
