// Checks: what ended and was not swept
// params: corpus, limit
// about: Communities and reports of generations that no reader sees any more. The next run sweeps them.
// param: limit whole 50: rows of each kind at most
// empty: all that ended was swept
MATCH (k:Corpus {key: $corpus})
WITH coalesce(k.generation, 0) AS g
CALL (g) {
  MATCH (c:Community)
  WHERE c.key > $corpus + '/' AND c.key < $corpus + '0' AND c.until <= g
  RETURN 'community' AS kind, c.label AS name, c.since AS since, c.until AS until LIMIT $limit
  UNION ALL
  MATCH (r:Report)
  WHERE r.key > $corpus + '/' AND r.key < $corpus + '0' AND r.until <= g
  RETURN 'report' AS kind, r.title AS name, r.since AS since, r.until AS until LIMIT $limit
}
RETURN kind, name, since, until
ORDER BY kind, until, name
