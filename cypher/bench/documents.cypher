// Documents for a benchmark
// params: corpus, rows
UNWIND $rows AS row
MATCH (k:Corpus {key: $corpus})
CREATE (d:Document:Document___corpus__ {key: row.key, corpus: $corpus})
SET d += row.set
CREATE (d)-[:IN_CORPUS]->(k)
