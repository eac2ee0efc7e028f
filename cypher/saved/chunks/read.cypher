// Chunks: the text of a chunk and its neighbours
// params: corpus, chunk
// about: The text of a chunk, and of the chunks before and after it.
// param: chunk text read/default_chunk: use the chunk with this ID, as documents/chunks shows it
MATCH (c:Chunk) USING INDEX SEEK c:Chunk(key)
WHERE c.key IN [$chunk, $corpus + '/' + $chunk] AND c.corpus = $corpus
MATCH (c)-[:PART_OF]->(d:Document)
MATCH (d)<-[:PART_OF]-(x:Chunk)
WHERE x.index >= c.index - 1 AND x.index <= c.index + 1
RETURN d.title AS document, x.index AS position, x = c AS this, x.text AS text
ORDER BY position
LIMIT 3
