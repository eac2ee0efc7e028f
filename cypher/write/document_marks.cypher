// Mark the documents of chunks whose vectors are written, in a corpus with edges between similar documents
// params: corpus, keys
MATCH (k:Corpus {key: $corpus}) USING INDEX SEEK k:Corpus(key)
WHERE k.document_links
UNWIND $keys AS key
MATCH (c:Chunk {key: key})-[:PART_OF]->(d:Document) USING INDEX SEEK c:Chunk(key)
WITH DISTINCT d WHERE d.todo_documents IS NULL
SET d.todo_documents = $corpus
