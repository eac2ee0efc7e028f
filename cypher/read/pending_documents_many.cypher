// Completely written documents with a chunk to extract, in key order: for many marked chunks
// params: corpus, after, end, limit
// returns: as read/pending_documents_few
MATCH (d:Document)
WHERE d.key > $after AND d.key < $end AND d.corpus = $corpus AND d.sha256 IS NOT NULL
  AND EXISTS { (d)<-[:PART_OF]-(c:Chunk) WHERE c.todo_extract = $corpus }
RETURN d.key AS key, d.n_tokens AS n_tokens
ORDER BY d.key LIMIT $limit
