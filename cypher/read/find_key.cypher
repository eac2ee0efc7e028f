// A node by its key
// params: corpus, keys, limit
// returns: key string?
// for: Chunk, Claim
MATCH (n:__Kind__)
WHERE n.key IN $keys AND n.corpus = $corpus
RETURN DISTINCT n.key AS key
ORDER BY key
LIMIT $limit
