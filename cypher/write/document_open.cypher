// Begin the write of a document that needs several transactions: it has no hash until the last one
// params: corpus, rows
// returns: n
UNWIND $rows AS row
MATCH (k:Corpus {key: $corpus})
MERGE (d:Document {key: row.key})
ON CREATE SET d.corpus = $corpus
SET d:$('Document_' + $corpus), d += row.set
REMOVE d.sha256
MERGE (d)-[:IN_CORPUS]->(k)
RETURN count(*) AS n
