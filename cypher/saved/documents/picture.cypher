// Documents: a document as a picture
// params: corpus, document, chunks, limit
// about: A document, its chunks, and the entities that they mention most.
// param: document text read/default_document: use the document with this URI, as documents/list shows it
// param: chunks whole 10: show the first N chunks
// param: limit whole 60: maximum number of mentions
// draws
MATCH (d:Document) USING INDEX SEEK d:Document(key)
WHERE d.key IN [$document, $corpus + '/' + $document] AND d.corpus = $corpus
MATCH (d)<-[part:PART_OF]-(c:Chunk)
WHERE c.index < $chunks
MATCH (c)-[m:MENTIONS]->(e:Entity)
RETURN d, part, c, m, e
ORDER BY e.frequency DESC, e.key, c.index
LIMIT $limit
