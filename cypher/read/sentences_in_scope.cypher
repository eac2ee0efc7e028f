// A page of the sentences of a scope with their vectors
// params: corpus, after, end, limit, documents, chunks
// returns sentenceVector: pair {pair} > QueryHit, vector vector? > vector, chunk string?, document string?, title string?, chunk_index int?
MATCH (s:Sentence)
WHERE s.key > $after AND s.key < $end AND s.corpus = $corpus
WITH s ORDER BY s.key LIMIT $limit
MATCH (c)-[:HAS_SENTENCE]->(s)
MATCH (c)-[:PART_OF]->(d)
WITH s, c, d, d.key IN $documents AND ($chunks IS NULL OR c.key IN $chunks) AS found
RETURN s {.key, answer: CASE WHEN found THEN s.text END} AS pair, CASE WHEN found THEN s.embedding END AS vector,
  c.key AS chunk, d.key AS document, d.title AS title, c.index AS chunk_index
ORDER BY s.key
