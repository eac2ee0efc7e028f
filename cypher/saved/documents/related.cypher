// Documents: documents that share entities
// params: corpus, document, most, limit
// about: The documents that share most entities with a document. Entities that many chunks mention are ignored, because they connect everything.
// param: document text read/default_document: use the document with this URI, as documents/list shows it
// param: most whole 50: ignore entities that more than N chunks mention
// param: limit whole 25: maximum number of rows
MATCH (d:Document) USING INDEX SEEK d:Document(key)
WHERE d.key IN [$document, $corpus + '/' + $document] AND d.corpus = $corpus
MATCH (d)<-[:PART_OF]-(:Chunk)-[:MENTIONS]->(e:Entity)
WHERE e.frequency <= $most
WITH DISTINCT d, e
MATCH (e)<-[:MENTIONS]-(:Chunk)-[:PART_OF]->(x:Document)
WHERE x <> d
WITH DISTINCT x, e
WITH x, count(*) AS shared, collect(e.name)[..8] AS entities
RETURN x.uri AS document, x.title AS title, shared, entities
ORDER BY shared DESC, document
LIMIT $limit
