// Checks: communities and reports that ended
// params: corpus, limit
// about: Communities and reports of earlier generations, which are no longer visible. The next run deletes them.
// param: limit whole 50: maximum number of rows of each kind
// empty: everything that ended was deleted
MATCH (k:Corpus {key: $corpus}) USING INDEX SEEK k:Corpus(key)
WITH coalesce(k.generation, 0) AS g
CALL (g) {
  MATCH (c:Community)
  WHERE c.key > $corpus + '/' AND c.key < $corpus + '0' AND c.until <= g
  RETURN 'community' AS kind, substring(c.key, size($corpus) + 1) AS id, c.label AS name, c.since AS since, c.until AS until LIMIT $limit
  UNION ALL
  MATCH (r:Report)
  WHERE r.key > $corpus + '/' AND r.key < $corpus + '0' AND r.until <= g
  RETURN 'report' AS kind, substring(r.key, size($corpus) + 1) AS id, r.title AS name, r.since AS since, r.until AS until LIMIT $limit
}
RETURN kind, id, name, since, until
ORDER BY kind, until, name
