// Documents with their hashes and fingerprints
// params: corpus, rows
// returns: n
UNWIND $rows AS row
MATCH (k:Corpus {key: $corpus})
MERGE (d:Document {key: row.key})
ON CREATE SET d.corpus = $corpus
SET d:$('Document_' + $corpus), d += row.set
SET d.todo_documents = CASE WHEN k.document_links THEN $corpus ELSE d.todo_documents END
MERGE (d)-[:IN_CORPUS]->(k)
RETURN count(*) AS n
