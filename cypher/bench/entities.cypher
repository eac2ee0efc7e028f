// Entities for a benchmark, with their mentions
// params: corpus, rows
UNWIND $rows AS row
CREATE (e:Entity:Entity___corpus__ {key: row.key, corpus: $corpus})
SET e += row.set, e:$(row.labels)
WITH e, row
UNWIND row.chunks AS chunk
MATCH (c:Chunk {key: chunk})
CREATE (c)-[:MENTIONS {names: [e.name], types: [e.type], descriptions: [e.description]}]->(e)
