// Documents: documents that share entities
// params: corpus, document, most, limit
// about: The documents that share the most entities with one; entities that many chunks mention do not count, since they connect everything.
// param: document text read/default_document: address of a document, as documents/list shows it
// param: most whole 50: entities of more chunks do not count
// param: limit whole 25: rows at most
MATCH (d:Document)
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
