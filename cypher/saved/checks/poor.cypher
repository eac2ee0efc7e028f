// Checks: chunks that gave little
// params: corpus, tokens, mentions, check, after, limit
// about: Chunks with much text that mention few entities and relationships: a list, a table, another language, or a model that gave up.
// param: tokens whole 100: only chunks of so many tokens and more
// param: mentions whole 1: so many entities and relationships at most
// param: check whole 10000: how many are looked at
// param: after text '': id after which to go on, in the order of ids
// param: limit whole 50: rows at most
// empty: every chunk gave something
MATCH (c:Chunk)
WHERE c.key > $corpus + '/' + $after AND c.key < $corpus + '0' AND c.corpus = $corpus
WITH c ORDER BY c.key LIMIT $check
WITH c, COUNT { (c)-[:MENTIONS]->() } AS mentions
WHERE mentions <= $mentions AND c.n_tokens >= $tokens
WITH c, mentions ORDER BY c.n_tokens DESC, c.key LIMIT $limit
MATCH (c)-[:PART_OF]->(d:Document)
RETURN d.uri AS document, c.index AS chunk, c.n_tokens AS tokens, mentions, left(c.text, 200) AS begins
ORDER BY tokens DESC, c.key
