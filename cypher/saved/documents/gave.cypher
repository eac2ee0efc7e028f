// Documents: the entities of a document
// params: corpus, document, limit
// about: The entities that a document mentions, how often, and whether it is the only document that mentions them.
// param: document text read/default_document: use the document with this URI, as documents/list shows it
// param: limit whole 50: maximum number of rows
MATCH (d:Document) USING INDEX SEEK d:Document(key)
WHERE d.key IN [$document, $corpus + '/' + $document] AND d.corpus = $corpus
MATCH (d)<-[:PART_OF]-(c:Chunk)-[:MENTIONS]->(e:Entity)
WITH e, count(*) AS here ORDER BY here DESC, e.degree DESC, e.key LIMIT $limit
RETURN e.name AS entity, e.type AS type, here AS chunks_here, e.frequency AS chunks_in_all, here = e.frequency AS only_here, e.community AS community
