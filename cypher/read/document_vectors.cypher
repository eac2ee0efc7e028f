// A page of the vectors of the chunks of documents, except for those that are to be embedded again
// params: corpus, keys, after, limit
// returns ChunkVector: document string?, chunk string?, vector vector?
UNWIND $keys AS key
MATCH (d:Document {key: key, corpus: $corpus})<-[:PART_OF]-(c:Chunk) USING INDEX SEEK d:Document(key)
WHERE c.key > $after
WITH key, c ORDER BY c.key LIMIT $limit
RETURN key AS document, c.key AS chunk, CASE WHEN c.todo_embed IS NULL THEN c.embedding END AS vector
ORDER BY chunk
