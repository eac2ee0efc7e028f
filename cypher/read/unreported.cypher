// How many communities of a page, valid in a generation, have no report
// params: corpus, after, end, limit, generation
// returns: as read/ended_reports
MATCH (k:Community)
WHERE k.key > $after AND k.key < $end AND k.corpus = $corpus
  AND k.since <= $generation AND coalesce(k.until, 9007199254740992) > $generation
WITH k ORDER BY k.key LIMIT $limit
RETURN max(k.key) AS last, count(k) AS n, sum(CASE WHEN EXISTS {
  MATCH (k)-[:HAS_REPORT]->(r)
  WHERE r.since <= $generation AND coalesce(r.until, 9007199254740992) > $generation
} THEN 0 ELSE 1 END) AS wanted
