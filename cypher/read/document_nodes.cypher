// A page of the documents of a corpus with their vectors and their edges to similar documents
// params: corpus, after, end, limit
// returns DocumentNode: key string?, marked bool, vector vector?, chunks int, neighbours []Neighbour{neighbour}
MATCH (d:Document)
WHERE d.key > $after AND d.key < $end AND d.corpus = $corpus
WITH d ORDER BY d.key LIMIT $limit
RETURN d.key AS key, d.todo_documents IS NOT NULL AS marked, d.vector AS vector,
  COUNT { (d)<-[:PART_OF]-() } AS chunks,
  COLLECT { MATCH (d)-[r:SIMILAR_DOCUMENT]->(o) RETURN {key: o.key, score: r.score} } AS neighbours
ORDER BY key
