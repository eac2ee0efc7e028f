// A page of the kept pairs of a corpus, with their vectors and neighbours
// params: corpus, after, end, limit
// returns QueryNode: key string?, kept bool?, vector vector?, marked bool, neighbours []Neighbour{neighbour}
MATCH (q:Query)
WHERE q.key > $after AND q.key < $end AND q.corpus = $corpus
WITH q ORDER BY q.key LIMIT $limit
RETURN q.key AS key, q.kept AS kept, CASE WHEN q.kept THEN q.embedding END AS vector, q.todo_link IS NOT NULL AS marked,
  COLLECT { MATCH (q)-[r:SIMILAR_QUERY]->(p) RETURN {key: p.key, score: r.score} } AS neighbours
ORDER BY key
