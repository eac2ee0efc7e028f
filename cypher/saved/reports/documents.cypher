// Reports: the documents of a report
// params: corpus, label, limit
// about: The documents that what a report cites is from, with the number of citations.
// param: label text read/default_reported: use the community with this LABEL, such as C0_3
// param: limit whole 40: maximum number of documents
MATCH (k:Corpus {key: $corpus}) USING INDEX SEEK k:Corpus(key)
WITH coalesce(k.generation, 0) AS g
MATCH (c:Community)
WHERE c.key > $corpus + '/' AND c.key < $corpus + '0' AND c.label = $label
  AND c.since <= g AND coalesce(c.until, 9007199254740992) > g
MATCH (c)-[:HAS_REPORT]->(r:Report)
WHERE r.since <= g AND coalesce(r.until, 9007199254740992) > g
MATCH (r)-[:CITES]->(t)
WITH DISTINCT t
CALL (t) {
  MATCH (t)<-[m:MENTIONS|STATES]-(chunk:Chunk)-[:PART_OF]->(d:Document)
  WITH chunk, d, any(said IN m.descriptions WHERE coalesce(t.description, '') CONTAINS said) AS described
  RETURN d ORDER BY described DESC, chunk.key LIMIT 1
}
WITH d, count(*) AS citations ORDER BY citations DESC, d.key
RETURN d.title AS document, d.uri AS uri, citations
LIMIT $limit
