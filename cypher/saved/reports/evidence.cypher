// Reports: from a report to the text, as a picture
// params: corpus, label, limit
// about: A report, its findings, what they cite, and a chunk that supports it.
// param: label text read/default_reported: use the community with this LABEL, such as C0_3
// param: limit whole 40: maximum number of citations
// draws
MATCH (k:Corpus {key: $corpus}) USING INDEX SEEK k:Corpus(key)
WITH coalesce(k.generation, 0) AS g
MATCH (c:Community)
WHERE c.key > $corpus + '/' AND c.key < $corpus + '0' AND c.label = $label
  AND c.since <= g AND coalesce(c.until, 9007199254740992) > g
MATCH (c)-[:HAS_REPORT]->(r:Report)
WHERE r.since <= g AND coalesce(r.until, 9007199254740992) > g
MATCH p = (c)-[:HAS_REPORT]->(r)-[:HAS_FINDING]->(f:Finding)-[x:CITES]->(t)
WITH p, f, x, t ORDER BY f.order, x.n, t.key LIMIT $limit
CALL (t) {
  OPTIONAL MATCH q = (t)<-[:MENTIONS|STATES]-(chunk:Chunk)
  RETURN q ORDER BY chunk.key LIMIT 1
}
RETURN p, q
