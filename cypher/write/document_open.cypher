// Begin the write of a document that needs several transactions: it has no hash until the last one
// params: corpus, keys
UNWIND $keys AS key
MATCH (k:Corpus {key: $corpus})
MERGE (d:Document {key: key})
ON CREATE SET d.corpus = $corpus
SET d:$('Document_' + $corpus)
REMOVE d.sha256
MERGE (d)-[:IN_CORPUS]->(k)
RETURN count(*) AS n
