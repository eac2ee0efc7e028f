// Remove what the stage synonyms wrote to a page of the entities of a corpus, and their marks
// params: corpus, after, end, limit
// returns: as write/mark_all
MATCH (e:Entity)
WHERE e.key > $after AND e.key < $end AND e.corpus = $corpus
WITH e ORDER BY e.key LIMIT $limit
WITH count(e) AS seen, max(e.key) AS last, [x IN collect(e) WHERE x.synonyms IS NOT NULL OR x.todo_synonyms IS NOT NULL OR x.name_fp IS NOT NULL] AS made
FOREACH (e IN made | REMOVE e.synonyms, e.name_fp, e.name_vector, e.todo_synonyms, e.synonyms_error)
RETURN seen, last, size(made) AS marked
