// Reports: a report with its findings
// params: corpus, label
// about: The report on a community: its summary, then its findings, one row each.
// param: label text read/default_reported: use the community with this LABEL, such as C0_3
MATCH (k:Corpus {key: $corpus}) USING INDEX SEEK k:Corpus(key)
WITH coalesce(k.generation, 0) AS g
MATCH (c:Community)
WHERE c.key > $corpus + '/' AND c.key < $corpus + '0' AND c.label = $label
  AND c.since <= g AND coalesce(c.until, 9007199254740992) > g
MATCH (c)-[:HAS_REPORT]->(r:Report)
WHERE r.since <= g AND coalesce(r.until, 9007199254740992) > g
CALL (r) {
  RETURN 0 AS n, r.title AS heading, r.summary AS text
  UNION ALL
  MATCH (r)-[:HAS_FINDING]->(f:Finding)
  RETURN f.order + 1 AS n, f.summary AS heading, f.explanation AS text
}
RETURN n, heading, text
ORDER BY n
LIMIT 100
