// Reports of a generation and their tokens by level, final ones separately
// params: corpus, generation
// returns ReportSize: level int?, final bool, count int, tokens int
MATCH (r:Report)
WHERE r.key > $corpus + '/' AND r.key < $corpus + '0'
  AND r.since <= $generation AND coalesce(r.until, 9007199254740992) > $generation
RETURN r.level AS level, coalesce(r.final, false) AS final, count(r) AS count, sum(r.n_tokens) AS tokens
ORDER BY level, final
