// Documents: the chunks of a document
// params: corpus, document, limit
// about: The chunks of a document in order, with what was found in each.
// param: document text read/default_document: use the document with this URI, as documents/list shows it
// param: limit whole 100: maximum number of chunks
MATCH (d:Document) USING INDEX SEEK d:Document(key)
WHERE d.key IN [$document, $corpus + '/' + $document] AND d.corpus = $corpus
MATCH (d)<-[:PART_OF]-(c:Chunk)
WITH c ORDER BY c.index LIMIT $limit
RETURN substring(c.key, size($corpus) + 1) AS chunk, c.index AS position, c.n_tokens AS tokens,
  COUNT { (c)-[:MENTIONS]->(:Entity) } AS entities, COUNT { (c)-[:MENTIONS]->(:Relationship) } AS relationships, COUNT { (c)-[:STATES]->() } AS claims, left(c.text, 120) AS begins
