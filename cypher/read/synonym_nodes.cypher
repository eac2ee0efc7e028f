// A page of the entities of a corpus with their names and synonyms, and with the vectors of their names if they are stored
// params: corpus, after, end, limit, vectors
// returns SynonymNode: key string?, name string?, marked bool, name_fp string?, vector vector?, neighbours []Neighbour{neighbour}
MATCH (e:Entity)
WHERE e.key > $after AND e.key < $end AND e.corpus = $corpus
WITH e ORDER BY e.key LIMIT $limit
RETURN e.key AS key, e.name AS name, e.todo_synonyms IS NOT NULL AS marked, e.name_fp AS name_fp,
  CASE WHEN $vectors THEN e.name_vector END AS vector,
  COLLECT { MATCH (e)-[r:SYNONYM]->(o) RETURN {key: o.key, score: r.score} } AS neighbours
ORDER BY key
