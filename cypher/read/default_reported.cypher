// The label of the community with the best rated report
// params: corpus
// returns: value
// scan: reports have no index by rating; only the corpus' own reports are read
MATCH (k:Corpus {key: $corpus})
WITH coalesce(k.generation, 0) AS g
MATCH (r:Report___corpus__)
WHERE r.since <= g AND coalesce(r.until, 9007199254740992) > g
WITH r, g ORDER BY r.rating DESC, r.size DESC, r.key LIMIT 1
MATCH (c:Community)-[:HAS_REPORT]->(r)
RETURN c.label AS value
