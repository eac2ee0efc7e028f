// The latest runs that wrote something
// params: corpus, limit
// returns: run properties
MATCH (r:Run)
WHERE r.key > $corpus + '/' AND r.key < $corpus + '0'
RETURN r {.*} AS run
ORDER BY r.started DESC, r.key
LIMIT $limit
