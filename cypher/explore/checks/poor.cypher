// Checks: chunks that gave little
// params: tokens, entities, limit
// about: Chunks with much text and few entities: a list, a table, another language, or a model that gave up.
// param: tokens whole 100: only chunks of so many tokens and more
// param: entities whole 1: so many entities at most
// param: limit whole 50: rows at most
// empty: every chunk gave something
// scan: chunks have no index by what they gave; only the corpus' own chunks are read
MATCH (c:Chunk___corpus__)
WHERE c.n_tokens >= $tokens AND COUNT { (c)-[:MENTIONS]->(:Entity) } <= $entities
WITH c ORDER BY c.n_tokens DESC, c.key LIMIT $limit
MATCH (c)-[:PART_OF]->(d:Document)
RETURN d.uri AS document, c.index AS chunk, c.n_tokens AS tokens, COUNT { (c)-[:MENTIONS]->(:Entity) } AS entities, left(c.text, 200) AS begins
ORDER BY tokens DESC, c.key
