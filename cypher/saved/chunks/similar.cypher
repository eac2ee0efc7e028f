// Chunks: questions that are similar to the questions of a chunk
// params: corpus, chunk, limit
// about: The pairs that the question-answer pairs of a chunk are linked to, nearest first: --method qcg follows these links.
// param: chunk text read/default_chunk: use the chunk with this ID, as documents/chunks shows it
// param: limit whole 50: maximum number of rows
// empty: the chunk has no pairs; `neorag index PATH --with queries` makes them
MATCH (c:Chunk) USING INDEX SEEK c:Chunk(key)
WHERE c.key IN [$chunk, $corpus + '/' + $chunk] AND c.corpus = $corpus
MATCH (c)-[:HAS_QUERY]->(q)-[r:SIMILAR_QUERY]->(p)
WITH q, r, p ORDER BY r.score DESC, q.key, p.key LIMIT $limit
MATCH (d)<-[:PART_OF]-(x)-[:HAS_QUERY]->(p)
RETURN q.text AS question, r.score AS score, p.text AS similar, p.answer AS answer, d.title AS document, substring(x.key, size($corpus) + 1) AS chunk
ORDER BY score DESC, question, similar
