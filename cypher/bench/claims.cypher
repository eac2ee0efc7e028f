// Claims for a benchmark
// params: corpus, rows
UNWIND $rows AS row
MATCH (c:Chunk {key: row.chunk})
MATCH (s:Entity {key: row.subject})
MATCH (o:Entity {key: row.object})
CREATE (k:Claim:Claim___corpus__ {key: row.key, corpus: $corpus, source_text: left(c.text, 80), subject: s.name, object: o.name})
SET k += row.set
CREATE (c)-[:STATES]->(k)
CREATE (k)-[:SUBJECT]->(s)
CREATE (k)-[:OBJECT]->(o)
