// Checks: chunks with few mentions
// params: corpus, tokens, mentions, check, after, limit
// about: Long chunks that mention few entities and relationships: a list, a table, another language, or a model that stopped early.
// param: tokens whole 100: show chunks of at least N tokens
// param: mentions whole 1: show chunks that mention at most N entities and relationships
// param: check whole 10000: check at most N nodes, in the order of their ids
// param: after text '': continue after this ID
// param: limit whole 50: maximum number of rows
// empty: every long chunk has mentions
MATCH (c:Chunk)
WHERE c.key > $corpus + '/' + $after AND c.key < $corpus + '0' AND c.corpus = $corpus
WITH c ORDER BY c.key LIMIT $check
WITH c, COUNT { (c)-[:MENTIONS]->() } AS mentions
WHERE mentions <= $mentions AND c.n_tokens >= $tokens
WITH c, mentions ORDER BY c.n_tokens DESC, c.key LIMIT $limit
MATCH (c)-[:PART_OF]->(d:Document)
RETURN d.uri AS document, c.index AS chunk, c.n_tokens AS tokens, mentions, left(c.text, 200) AS begins
ORDER BY tokens DESC, c.key
