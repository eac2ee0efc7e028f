// Chunks of a corpus and their tokens
// params: corpus
// returns: count int, tokens int
MATCH (c:Chunk)
WHERE c.key > $corpus + '/' AND c.key < $corpus + '0'
RETURN count(c) AS count, sum(c.n_tokens) AS tokens
