// Reports: the text behind a report
// params: corpus, label, limit
// about: For each citation in the findings of a report: what is cited, and the text of a document that supports it.
// param: label text read/default_reported: use the community with this LABEL, such as C0_3
// param: limit whole 40: maximum number of citations
MATCH (k:Corpus {key: $corpus}) USING INDEX SEEK k:Corpus(key)
WITH coalesce(k.generation, 0) AS g
MATCH (c:Community)
WHERE c.key > $corpus + '/' AND c.key < $corpus + '0' AND c.label = $label
  AND c.since <= g AND coalesce(c.until, 9007199254740992) > g
MATCH (c)-[:HAS_REPORT]->(r:Report)
WHERE r.since <= g AND coalesce(r.until, 9007199254740992) > g
MATCH (r)-[:HAS_FINDING]->(f:Finding)-[x:CITES]->(t)
WITH f, x, t ORDER BY f.order, x.n, t.key LIMIT $limit
CALL (t) {
  OPTIONAL MATCH (t)<-[m:MENTIONS|STATES]-(chunk:Chunk)-[:PART_OF]->(d:Document)
  RETURN chunk, m, d ORDER BY size(coalesce(m.descriptions, [])) DESC, chunk.key LIMIT 1
}
RETURN f.summary AS finding, x.n AS citation, head([l IN labels(t) WHERE l IN ['Entity', 'Relationship', 'Claim', 'Report', 'Chunk']]) AS cites,
  coalesce(t.name, t.title) AS name, coalesce(t.source_text, m.descriptions[0], left(coalesce(t.text, t.summary), 300)) AS words, d.title AS document, chunk.index AS chunk
ORDER BY f.order, citation, t.key
