// Documents for a benchmark, with their chunks and mentions
// params: corpus, rows
UNWIND $rows AS row
MATCH (k:Corpus {key: $corpus})
CREATE (d:Document:Document___corpus__ {key: row.key, corpus: $corpus})
SET d += row.set
CREATE (d)-[:IN_CORPUS]->(k)
WITH d, row
UNWIND row.chunks AS made
CREATE (c:Chunk:Chunk___corpus__ {corpus: $corpus})
SET c += made.set
CREATE (c)-[:PART_OF]->(d)
FOREACH (passage IN made.passages |
  CREATE (c)-[:HAS_PASSAGE]->(p:Passage:Passage___corpus__ {corpus: $corpus, name: c.name})
  SET p += passage
)
WITH d, c, made
CALL (c, made) {
  UNWIND made.entities AS mention
  MATCH (e:Entity {key: mention.key})
  CREATE (c)-[:MENTIONS {names: [e.name], types: [e.type], descriptions: [mention.description]}]->(e)
}
CALL (c, made) {
  UNWIND made.relationships AS mention
  MATCH (r:Relationship {key: mention.key})
  CREATE (c)-[:MENTIONS {descriptions: [mention.description], keywords: r.keywords, strength: 100, count: 1, forward: 1}]->(r)
}
WITH d, c ORDER BY c.index
WITH d, collect(c) AS cs
WITH d, cs, cs[0] AS first
CREATE (d)-[:FIRST_CHUNK]->(first)
WITH cs
UNWIND range(1, size(cs) - 1) AS i
WITH cs[i - 1] AS a, cs[i] AS b
CREATE (a)-[:NEXT_CHUNK]->(b)
