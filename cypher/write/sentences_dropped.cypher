// Remove what the stage sentences wrote to a page of the chunks of a corpus, and their marks
// params: corpus, after, end, limit
// returns: as write/mark_all
MATCH (c:Chunk)
WHERE c.key > $after AND c.key < $end AND c.corpus = $corpus
WITH c ORDER BY c.key LIMIT $limit
WITH count(c) AS seen, max(c.key) AS last, [x IN collect(c) WHERE x.sentences_fp IS NOT NULL OR x.todo_sentences IS NOT NULL OR x.sentences IS NOT NULL] AS made
FOREACH (c IN made | REMOVE c.sentences_fp, c.sentences, c.sentence_names, c.todo_sentences, c.sentences_error)
RETURN seen, last, size(made) AS marked
