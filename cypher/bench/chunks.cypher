// Chunks for a benchmark, grouped by document
// params: corpus, rows
UNWIND $rows AS row
MATCH (d:Document {key: row.key})
UNWIND row.chunks AS set
CREATE (c:Chunk:Chunk___corpus__ {corpus: $corpus})
SET c += set
CREATE (c)-[:PART_OF]->(d)
CREATE (c)-[:HAS_PASSAGE]->(:Passage:Passage___corpus__ {key: c.key, corpus: $corpus, name: c.name, start: 0, end: c.end - c.start})
WITH d, c ORDER BY c.index
WITH d, collect(c) AS cs
WITH d, cs, cs[0] AS first
CREATE (d)-[:FIRST_CHUNK]->(first)
WITH cs
UNWIND range(1, size(cs) - 1) AS i
WITH cs[i - 1] AS a, cs[i] AS b
CREATE (a)-[:NEXT_CHUNK]->(b)
