// A page of chunks that mention an entity of the given types, with their documents
// params: corpus, after, end, types, limit
// returns ChunkName: key string?, document string?
MATCH (c:Chunk)
WHERE c.key > $after AND c.key < $end AND c.corpus = $corpus
  AND EXISTS { MATCH (c)-[:MENTIONS]->(e:Entity) WHERE e.type IN $types }
WITH c ORDER BY c.key LIMIT $limit
MATCH (c)-[:PART_OF]->(d:Document)
RETURN c.key AS key, d.key AS document
ORDER BY key
