// Chunks: the question-answer pairs of a chunk
// params: corpus, chunk, limit
// about: The questions that were made of a chunk, with their answers and their similarity to the chunk. Only those that are kept are searched. A corpus indexed with queries has pairs.
// param: chunk text read/default_chunk: use the chunk with this ID, as documents/chunks shows it
// param: limit whole 50: maximum number of rows
// empty: the chunk has no pairs; `neorag index PATH --with queries` makes them
MATCH (c:Chunk) USING INDEX SEEK c:Chunk(key)
WHERE c.key IN [$chunk, $corpus + '/' + $chunk] AND c.corpus = $corpus
MATCH (c)-[:HAS_QUERY]->(q)
WITH q ORDER BY q.index LIMIT $limit
RETURN q.text AS question, q.answer AS answer, q.similarity AS similarity, q.kept AS kept
