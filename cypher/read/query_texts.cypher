// A page of the kept pairs of a corpus with their texts
// params: corpus, after, end, limit
// returns QueryHit: pair {pair}, chunk string?, document string?, title string?, chunk_index int?
MATCH (q:Query)
WHERE q.key > $after AND q.key < $end AND q.corpus = $corpus
WITH q ORDER BY q.key LIMIT $limit
MATCH (c)-[:HAS_QUERY]->(q)
MATCH (c)-[:PART_OF]->(d)
RETURN q {.key, .text, .answer, .kept} AS pair, c.key AS chunk, d.key AS document, d.title AS title, c.index AS chunk_index
ORDER BY q.key
