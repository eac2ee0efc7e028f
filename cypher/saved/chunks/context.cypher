// Chunks: a chunk and its neighbours, as a picture
// params: corpus, chunk, limit
// about: A chunk with the two before and the two after it, their document, and the entities that it mentions.
// param: chunk text read/default_chunk: use the chunk with this ID, as documents/chunks shows it
// param: limit whole 40: maximum number of entities
// draws
MATCH (c:Chunk) USING INDEX SEEK c:Chunk(key)
WHERE c.key IN [$chunk, $corpus + '/' + $chunk] AND c.corpus = $corpus
MATCH p = (:Chunk)-[:NEXT_CHUNK*0..2]->(c)-[:NEXT_CHUNK*0..2]->(:Chunk)
WITH c, p ORDER BY length(p) DESC LIMIT 1
MATCH q = (c)-[:PART_OF]->(:Document)
OPTIONAL MATCH (c)-[m:MENTIONS]->(e:Entity)
WITH p, q, m, e ORDER BY e.degree DESC, e.key LIMIT $limit
RETURN p, q, m, e
