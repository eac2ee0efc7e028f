// Entities for a benchmark
// params: corpus, rows
UNWIND $rows AS row
CREATE (e:Entity:Entity___corpus__ {key: row.key, corpus: $corpus})
SET e += row.set, e:$(row.labels)
