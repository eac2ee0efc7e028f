// Remove what the stage documents wrote to a page of the documents of a corpus, and their marks
// params: corpus, after, end, limit
// returns: as write/mark_all
MATCH (d:Document)
WHERE d.key > $after AND d.key < $end AND d.corpus = $corpus
WITH d ORDER BY d.key LIMIT $limit
WITH count(d) AS seen, max(d.key) AS last, [x IN collect(d) WHERE x.similar IS NOT NULL OR x.todo_documents IS NOT NULL OR x.vector IS NOT NULL] AS made
FOREACH (d IN made | REMOVE d.similar, d.vector, d.todo_documents, d.documents_error)
RETURN seen, last, size(made) AS marked
